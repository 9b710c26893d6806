(* While a job computed that has no safepoint, the loop's timers and small jobs were up to three seconds
   late: domains that came and went stopped the world. *)

let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
let compute n () = ignore (Sys.opaque_identity (fib n) : int)

let () =
  Case.main ~seconds:60. @@ fun () ->
  Case.beside 2 @@ fun () ->
  Eio_main.run @@ fun _ ->
  Drover_eio.run ignore;
  let over = ref false and latest = ref 0. in
  let long () =
    Drover_eio.run (compute 41);
    over := true
  in
  let small () =
    while not !over do
      let start = Case.now () in
      Eio_unix.sleep 0.005;
      Drover_eio.run (compute 12);
      latest := Float.max !latest (Case.now () -. start -. 0.005)
    done
  in
  Eio.Fiber.both long small;
  Case.expect (!latest < 0.5)
    "beside a job of seconds, a timer and a small job come at most %.0f ms late" (1e3 *. !latest)
