open Drover_harness

let pause = 0.002
let rounds = lazy (max 1 (Stretch.rounds_for 2e-6))

(* What is known of the jobs so far: when each was submitted, and when it had run, or 0. *)
type t = { submitted : int Dynarray.t; ended : int Atomic.t Dynarray.t }

let send t submit =
  let ended = Atomic.make 0 in
  Dynarray.add_last t.submitted (Clock.now_ns ());
  Dynarray.add_last t.ended ended;
  submit (fun () ->
      Stretch.work (Lazy.force rounds);
      Atomic.set ended (Clock.now_ns ()))

let ms ns = float ns *. 1e-6

let latencies t =
  let latency i ended = ms (Atomic.get ended - Dynarray.get t.submitted i) in
  Array.mapi latency (Dynarray.to_array t.ended)

let all_ended t = Dynarray.for_all (fun ended -> Atomic.get ended > 0) t.ended

let rec until ~each over =
  if not (over ()) then begin
    each ();
    Unix.sleepf pause;
    until ~each over
  end

let beside submit ~each over =
  ignore (Lazy.force rounds : int);
  let t = { submitted = Dynarray.create (); ended = Dynarray.create () } in
  let both () =
    send t submit;
    each ()
  in
  both ();
  until ~each:both over;
  until ~each:ignore (fun () -> all_ended t);
  latencies t
