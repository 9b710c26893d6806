(* A clean end on Ctrl-C: what was found so far is kept. *)

let is_prime n =
  let rec no_divisor_from d =
    d * d > n || (n mod d <> 0 && no_divisor_from (d + 1))
  in
  n > 1 && no_divisor_from 2

(* Goes on for ever; a loop is where it is cancelled. *)
let rec search found from =
  Drover.parallel_for ~start:from ~finish:(from + 999) (fun n ->
      if is_prime n then Atomic.incr found);
  search found (from + 1_000)

let search_until_signal found =
  match Drover.Scope.run_until_signal (fun _scope -> search found 0) with
  | () -> ()
  | exception Drover.Scope.Signalled _ -> Printf.printf "interrupted, "

let () =
  let found = Atomic.make 0 in
  (* Somebody types Ctrl-C when there are a thousand. *)
  let rec impatient () =
    Thread.delay 0.001;
    if Atomic.get found < 1_000 then impatient ()
    else Unix.kill (Unix.getpid ()) Sys.sigint
  in
  let user = Thread.create impatient () in
  search_until_signal found;
  Thread.join user;
  Printf.printf "more than a thousand: %b\n" (Atomic.get found >= 1_000)
