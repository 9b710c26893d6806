(* [sleep 0.1] in an iteration took 5.95 s: the task that was woken waited until its worker's part of
   the loop had ended. *)

let slept () =
  let start = Case.now () in
  Drover.sleep 0.1;
  Case.now () -. start

let longest domains =
  let longest = ref 0. in
  let iteration i = if i = 0 then longest := slept () else Case.spin 0.001 in
  Drover.run ~domains (fun () -> Drover.parallel_for ~start:0 ~finish:(2_000 * domains) iteration);
  !longest

let () =
  Case.main ~seconds:40. @@ fun () ->
  let one = longest 1 and two = longest 2 in
  Case.expect
    (Float.max one two < 0.5)
    "sleep 0.1 in an iteration of a loop of two seconds takes %.2f s on one domain, %.2f s on two"
    one two
