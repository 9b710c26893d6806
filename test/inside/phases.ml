(* Pools in which not all workers are wanted, and what runs there meanwhile. *)

let with_pool ?(adaptive = false) domains f () =
  let pool = Pool.create ~domains ~adaptive () in
  Fun.protect (fun () -> f pool) ~finally:(fun () -> Pool.close pool)

let fib = Test_support.Fib.fib

(* Several threads call it: Alcotest's checks are for one. *)
let forks_and_promises () =
  let check what holds = if not holds then failwith what in
  check "fib" (fib 20 = 6765);
  let promises = List.init 100 (fun i -> Pool.async (fun () -> fib (i land 7))) in
  let expected = List.init 100 (fun i -> List.nth [ 0; 1; 1; 2; 3; 5; 8; 13 ] (i land 7)) in
  check "promises" (List.map Promise.await promises = expected)

(* [f ()] while a thread goes through the phases again and again: each begins with a call, and lasts
   for as many seconds as another tells. *)
let while_changing phases f =
  let is_over = Atomic.make false in
  let go_through (begin_phase, seconds) =
    begin_phase ();
    Thread.delay (seconds ())
  in
  let rec change () =
    if not (Atomic.get is_over) then begin
      List.iter go_through phases;
      change ()
    end
  in
  let thread = Thread.create change () in
  let finally () =
    Atomic.set is_over true;
    Thread.join thread
  in
  Fun.protect ~finally f

let on_each name f =
  let on domains = Test_support.Watchdog.case (Printf.sprintf "%d domains" domains) (f domains) in
  (name, List.map on [ 2; 4; 8 ])
