(* Random programs on one domain, and a fault at each safepoint in turn.

   A signal that its own handler sends anew is handled at the next safepoint, and so on: so the
   handler counts the safepoints of the main thread, also those that do not allocate, and raises at
   the one that is wanted; and perhaps once more soon after. Where it comes again and again in one
   place, as in a blocking call, which would never begin, it waits for the timer.

   Without arguments: a few points of a few programs, as a test. Otherwise

   program_points.exe FROM TO STRIDE

   goes through the programs with these seeds. *)

open Fault

let is_main_thread () = Domain.is_main_domain () && Thread.id (Thread.self ()) = 0
let again () = Unix.kill (Unix.getpid ()) Sys.sigalrm

(* What is to happen: safepoints to go until the next fault, and what is between two. *)
let left = ref 0
let faults_left = ref 0
let gap = ref 0
let has_happened = ref false

(* How often the handler ran in a row while nothing was allocated but by itself. *)
let most_in_one_place = 30
let in_one_place = ref 0
let words = ref 0.
let own_words = ref infinity

let look_where () =
  let now = Gc.minor_words () in
  let allocated = now -. !words in
  words := now;
  own_words := Float.min !own_words allocated;
  in_one_place := if allocated <= !own_words then !in_one_place + 1 else 0

let at_safepoint _ =
  if Atomic.get armed && !faults_left > 0 && is_main_thread () then begin
    look_where ();
    decr left;
    let is_due = !left = 0 in
    if is_due then begin
      has_happened := true;
      decr faults_left;
      left := !gap
    end;
    if !in_one_place < most_in_one_place then again () else in_one_place := 0;
    if is_due then raise Fault
  end

let every seconds =
  ignore
    (Unix.setitimer ITIMER_REAL { it_interval = seconds; it_value = seconds }
      : Unix.interval_timer_status)

(* The kind of fault for the safepoint [point]. *)
let kind point : (module KIND) =
  (module struct
    let name = "points"
    let limits = no_limits
    let parameters ~domains:_ = ""
    let install () = Sys.set_signal Sys.sigalrm (Signal_handle at_safepoint)

    let arm _ =
      left := point;
      faults_left := 1 + (point land 1);
      gap := 1 + (point * 7919 mod 37);
      has_happened := false;
      in_one_place := 0;
      Atomic.set armed true;
      every 300e-6;
      again ()

    let disarm () =
      disarm ();
      every 0.

    let is_known e = e = Fault
    let companions = 0
    let wrap f = f ()
    let count () = 0
  end)

let play seed point =
  let round = { Round.kind = kind point; domains = 1; seed; path = [] } in
  let guard phase f =
    let what = Printf.sprintf "seed %d, point %d, in %s" seed point phase in
    Test_support.Watchdog.guard ~seconds:30. what f
  in
  match Round.run round ~guard with
  | [] -> ()
  | complaints ->
      Printf.ksprintf failwith "seed %d, point %d:\n  %s" seed point
        (String.concat "\n  " complaints)

let rec play_from seed point ~stride ~most =
  play seed point;
  if !has_happened && point < most then play_from seed (point + stride) ~stride ~most

let case seed () = play_from seed (1 + (seed mod 97)) ~stride:97 ~most:600

let () =
  let (module Kind) = kind 0 in
  Kind.install ();
  Thread.set_uncaught_exception_handler ignore;
  Drover.Promise.on_unawaited_failure (fun _ _ -> ());
  match Sys.argv with
  | [| _; first; last; stride |] ->
      let stride = int_of_string stride in
      for seed = int_of_string first to int_of_string last do
        play_from seed (1 + (seed mod stride)) ~stride ~most:15_000;
        Printf.printf "seed %d\n%!" seed
      done
  | _ ->
      let test seed = Alcotest.test_case (Printf.sprintf "program %d" seed) `Quick (case seed) in
      Alcotest.run "points of programs" [ ("programs", List.map test [ 1; 2; 3; 4; 5; 6 ]) ]
