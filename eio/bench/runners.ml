(* Runners: the ways to run a computation of an Eio program. *)

type run = { run : 'a. (unit -> 'a) -> 'a } [@@unboxed]

type t = {
  name : string;
  with_run : 'a. sw:Eio.Switch.t -> Eio_unix.Stdenv.base -> domains:int -> (run -> 'a) -> 'a;
}

let drover =
  {
    name = "drover";
    with_run =
      (fun ~sw:_ _ ~domains f ->
        let pool = Drover.Pool.create ~domains () in
        f { run = (fun g -> Drover_eio.run ~pool g) });
  }

let executor_pool =
  {
    name = "executor_pool";
    with_run =
      (fun ~sw env ~domains f ->
        let pool = Eio.Executor_pool.create ~sw ~domain_count:domains env#domain_mgr in
        f { run = (fun g -> Eio.Executor_pool.submit_exn pool ~weight:1. g) });
  }

let all = [ drover; executor_pool ]
