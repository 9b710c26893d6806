(* Lwt_domain on Drover. The messages of exceptions are the original's. *)

module Pool = Drover.Pool

type pool = {
  domains : Pool.t option; (* a pool without domains of its own computes in the calling thread *)
  is_live : bool Atomic.t;
  (* The computations whose promises are pending, and one more while the pool is live. The last to
     leave closes the pool. *)
  users : int Atomic.t;
}

let check_live pool = if not (Atomic.get pool.is_live) then invalid_arg "pool already torn down"

(* The latest first. *)
let named : (string * pool) list Atomic.t = Atomic.make []

let rec change_named f =
  let before = Atomic.get named in
  if not (Atomic.compare_and_set named before (f before)) then change_named f

let lookup_pool name = List.assoc_opt name (Atomic.get named)
let forget pool = change_named (List.filter (fun (_, other) -> other != pool))

let create_pool ?name n =
  let pool = Pool.create ?name ~domains:n () in
  match Drover_bridge.staff_for "Lwt_domain.setup_pool" pool with
  | () -> pool
  | exception exn ->
      Pool.close pool;
      raise exn

let setup_pool ?name n =
  if n < 0 then invalid_arg "Task.setup_pool: num_domains must be at least 0";
  let domains = if n = 0 then None else Some (create_pool ?name n) in
  let pool = { domains; is_live = Atomic.make true; users = Atomic.make 1 } in
  Option.iter (fun name -> change_named (List.cons (name, pool))) name;
  pool

let get_num_domains pool =
  check_live pool;
  Option.fold ~none:1 ~some:(fun p -> Pool.size p + 1) pool.domains

(* A computation that was cancelled may still run and need the calling thread, so another one waits
   for it, which leaves signals to the threads of the program. Where no thread can be made, the
   domains stay, and sleep. *)
let close_in_background pool =
  let close () =
    ignore (Thread.sigmask SIG_SETMASK (List.init 64 succ) : int list);
    Pool.close pool
  in
  try ignore (Thread.create close () : Thread.t) with Sys_error _ -> ()

let leave pool =
  if Atomic.fetch_and_add pool.users (-1) = 1 then Option.iter close_in_background pool.domains

let teardown_pool pool =
  check_live pool;
  if Atomic.compare_and_set pool.is_live true false then begin
    forget pool;
    leave pool
  end

let detach pool f x =
  check_live pool;
  match pool.domains with
  | None -> Lwt.wrap1 f x
  | Some domains ->
      let promise = Drover_lwt.detach ~pool:domains (fun () -> f x) in
      Atomic.incr pool.users;
      Lwt.on_termination promise (fun () -> leave pool);
      promise

let run_in_main = Drover_lwt.run_in_main
