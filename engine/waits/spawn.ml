(* Spawn.

   OCaml has a new domain run finalisers before it has its domain-local state, and one that reads some
   then is a segmentation fault. It has none of its own, but takes over those that others have left when
   they ended, as each domain does in its slices of the major collection, however small. So whoever makes
   a domain takes them over first. *)

let made make =
  match Signals.with_all_blocked make with
  | () -> true
  | exception (Failure _ | Sys_error _) -> false

let domain ?(keep = ignore) live =
  made (fun () ->
      ignore (Gc.major_slice 1 : int);
      keep (Domain.spawn live))

let thread live x = made (fun () -> ignore (Thread.create live x : Thread.t))
