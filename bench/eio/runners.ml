(* Runners: the ways to run a computation of an Eio program. *)

type run = { run : 'a. (unit -> 'a) -> 'a } [@@unboxed]

type t = {
  name : string;
  nests : bool; (* what it runs may be parallel itself *)
  start : sw:Eio.Switch.t -> Eio_unix.Stdenv.base -> domains:int -> run;
}

let drover =
  let start ~sw:_ _ ~domains =
    let pool = Drover.Pool.create ~domains () in
    { run = (fun f -> Drover_eio.run ~pool f) }
  in
  { name = "drover"; nests = true; start }

let facade =
  let open Drover_eio in
  let start ~sw env ~domains =
    let pool = Executor_pool.create ~sw ~domain_count:domains (Eio.Stdenv.domain_mgr env) in
    { run = (fun f -> Executor_pool.submit_exn pool ~weight:1. f) }
  in
  { name = "facade"; nests = true; start }

let executor_pool =
  let open Eio in
  let start ~sw env ~domains =
    let pool = Executor_pool.create ~sw ~domain_count:domains (Stdenv.domain_mgr env) in
    { run = (fun f -> Executor_pool.submit_exn pool ~weight:1. f) }
  in
  { name = "executor_pool"; nests = false; start }

let all = [ drover; facade; executor_pool ]
