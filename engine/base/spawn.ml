(* Spawn.

   OCaml has a new domain run finalisers before it has its domain-local state, and one that reads some
   then is a segmentation fault. It has none of its own, but may take over those that others have left
   when they ended: any domain does in a slice of the major collection while marking, and one in the
   minor collection with which marking begins. So before a domain is made after one of ours has ended,
   both happen. Test: inside_domains. *)

let are_left = Atomic.make false

let take_over_finalisers () =
  if Atomic.get are_left && Atomic.exchange are_left false then begin
    ignore (Gc.major_slice 1 : int);
    Gc.minor ()
  end

let made make =
  match Signals.with_all_blocked make with
  | () -> true
  | exception (Failure _ | Sys_error _) -> false

let domain ?(keep = ignore) live =
  made (fun () ->
      take_over_finalisers ();
      let live () =
        live ();
        Atomic.set are_left true
      in
      keep (Domain.spawn live))

let thread live x = made (fun () -> ignore (Thread.create live x : Thread.t))
