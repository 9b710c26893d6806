(* How work stops that nobody wants any more. *)

(* A long computation that forks and waits nowhere looks by itself. *)
let collatz n =
  let rec steps count n =
    if count land 1023 = 0 then Drover.Scope.check ();
    if n = 1 then count
    else steps (count + 1) (if n land 1 = 0 then n / 2 else (3 * n) + 1)
  in
  steps 0 n

let for_ever () =
  while true do
    ignore (collatz 27)
  done

let limited seconds work =
  match Drover.Scope.with_timeout seconds work with
  | () -> print_endline "in time"
  | exception Drover.Scope.Timeout -> print_endline "too late"

let () =
  limited 60. (fun () -> ignore (collatz 27));
  limited 0.01 for_ever

(* The fastest of several ways; the others are stopped. *)
let fastest () =
  Drover.Scope.first
    [
      (fun () ->
        Drover.sleep 3600.;
        "the slow way");
      (fun () ->
        Drover.sleep 0.001;
        "the quick way");
    ]

let () = print_endline (fastest ())

(* What must be finished is protected. *)
let with_connection send work =
  Fun.protect work ~finally:(fun () ->
      Drover.Scope.protect (fun () ->
          Drover.sleep 0.001;
          send "goodbye"))

let () =
  limited 0.01 (fun () ->
      with_connection print_endline (fun () -> Drover.sleep 3600.))
