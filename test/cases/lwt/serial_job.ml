(* While a job computed that has no safepoint, the loop's timers and small jobs were up to three seconds
   late: domains that came and went stopped the world. *)

open Lwt.Syntax

let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
let compute n () = Sys.opaque_identity (fib n)

let () =
  Case.main ~seconds:60. @@ fun () ->
  Case.beside 2 @@ fun () ->
  let latest = ref 0. in
  let rec small long =
    if not (Lwt.is_sleeping long) then Lwt.return_unit
    else
      let start = Case.now () in
      let* () = Lwt_unix.sleep 0.005 in
      let* (_ : int) = Drover_lwt.detach (compute 12) in
      latest := Float.max !latest (Case.now () -. start -. 0.005);
      small long
  in
  let jobs () =
    let* (_ : int) = Drover_lwt.detach (compute 12) in
    small (Drover_lwt.detach (compute 41))
  in
  Lwt_main.run (jobs ());
  Case.expect (!latest < 0.5)
    "beside a job of seconds, a timer and a small job come at most %.0f ms late" (1e3 *. !latest)
