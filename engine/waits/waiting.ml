(* Waiting: a wait that leaves nothing behind. *)

(* [until ~undo wait] is [wait ()]. If that raises, because it is cancelled, or out of a signal's
   handler, then [undo] takes back all that it has done. [undo] is idempotent, and may be called
   whatever has been done so far. *)
let until ~undo wait =
  match wait () with
  | v -> v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (match Critical.finish undo with () -> () | exception _ -> ());
      Printexc.raise_with_backtrace exn backtrace

(* [f ()], and then [leave ()], also when [f] raises; [leave] is idempotent. *)
let and_then leave f =
  match f () with
  | v ->
      Critical.finish leave;
      v
  | exception exn -> Critical.raise_after leave () exn
