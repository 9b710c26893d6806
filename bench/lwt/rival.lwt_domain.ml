(* Where ocsigen's lwt_domain is installed. *)

let detach =
  let pool = ref None in
  let get domains =
    match !pool with
    | Some pool -> pool
    | None ->
        pool := Some (Lwt_domain.setup_pool domains);
        Option.get !pool
  in
  Some (fun ~domains (f : unit -> unit) -> Lwt_domain.detach (get domains) f ())
