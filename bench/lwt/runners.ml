(* Runners: the ways to run a computation of an Lwt program. *)

type t = { name : string; detach : domains:int -> (unit -> unit) -> unit Lwt.t }

let drover =
  let pool = ref None in
  let get domains =
    match !pool with
    | Some pool -> pool
    | None ->
        let p = Drover.Pool.create ~domains () in
        pool := Some p;
        p
  in
  { name = "drover"; detach = (fun ~domains f -> Drover_lwt.detach ~pool:(get domains) f) }

let systhreads =
  {
    name = "lwt_preemptive";
    detach =
      (fun ~domains f ->
        if Lwt_preemptive.get_bounds () <> (0, domains) then Lwt_preemptive.init 0 domains ignore;
        Lwt_preemptive.detach f ());
  }

let all =
  let rival = Option.map (fun detach -> { name = "lwt_domain"; detach }) Rival.detach in
  (drover :: Option.to_list rival) @ [ systhreads ]
