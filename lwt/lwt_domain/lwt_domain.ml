(* Lwt_domain on Drover. The messages of exceptions are the original's. *)

open Drover

(* A pool without domains of its own computes in the calling thread. *)
type live = { domains : Pool.t option; name : string option }
type pool = live option Atomic.t

let live pool =
  match Atomic.get pool with Some live -> live | None -> invalid_arg "pool already torn down"

let names : (string, pool) Hashtbl.t = Hashtbl.create 8
let mutex = Mutex.create ()

let setup_pool ?name n =
  if n < 0 then invalid_arg "Task.setup_pool: num_domains must be at least 0";
  let domains = if n = 0 then None else Some (Pool.create ?name ~domains:n ()) in
  Option.iter Pool.staff domains;
  let pool = Atomic.make (Some { domains; name }) in
  Option.iter (fun name -> Mutex.protect mutex (fun () -> Hashtbl.add names name pool)) name;
  pool

let lookup_pool name = Mutex.protect mutex (fun () -> Hashtbl.find_opt names name)
let get_num_domains pool = Option.fold ~none:1 ~some:(fun p -> Pool.size p + 1) (live pool).domains
let forget name = Mutex.protect mutex (fun () -> Hashtbl.remove names name)

(* A computation may need the calling thread before it ends, so another one waits for it. *)
let teardown_pool pool =
  let { domains; name } = live pool in
  Atomic.set pool None;
  Option.iter forget name;
  Option.iter (fun p -> ignore (Thread.create Pool.close p : Thread.t)) domains

let detach pool f x =
  match (live pool).domains with
  | None -> Lwt.wrap1 f x
  | Some pool -> Drover_lwt.detach ~pool (fun () -> f x)

let run_in_main = Drover_lwt.run_in_main
