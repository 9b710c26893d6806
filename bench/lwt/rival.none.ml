(* Where ocsigen's lwt_domain is not installed. *)

let detach : (domains:int -> (unit -> unit) -> unit Lwt.t) option = None
