(* Loops whose iterations raise: what is raised, what is skipped, and what has ended by then. *)

open Test_support
open Drover
open Stdlib

let start = 0
let finish = 19
let forms = Loop_forms.with_grain (finish + 1)

let fails (place : Place.t) () =
  place.call (fun () ->
      List.iter
        (fun (_, (loop : Loop_forms.loop)) ->
          List.iter
            (fun grain ->
              Failing.check 10 (fun () ->
                  loop ?grain (fun i -> if i = 10 then Failing.raise_here i)))
            [ None; Some 1; Some 5; Some max_int ])
        forms)

let combine_fails () =
  run ~domains:2 (fun () ->
      let combine a b = if a + b >= 10 then Failing.raise_here 1 else a + b in
      Failing.check 1 (fun () ->
          parallel_reduce ~grain:1 ~start ~finish ~init:0 ~combine (fun _ -> 1)))

(* On one domain the iterations run in a fixed order: those after the failure are skipped. *)
let skips (loop : Loop_forms.loop) () =
  List.iter
    (fun grain ->
      let ran = ref [] in
      let body i =
        ran := i :: !ran;
        if i = 7 then Failing.raise_here 7
      in
      run ~domains:1 (fun () -> Failing.check 7 (fun () -> loop ~grain body));
      Alcotest.(check (list int)) "what ran" (List.init 8 Fun.id) (List.rev !ran))
    [ 1; 5; 20 ]

(* Iteration 0 is open when 10 fails: one domain has gone on with 1 .. 9, and goes no further. *)
let stops_at_once (loop : Loop_forms.loop) () =
  let ran = ref [] and ended = ref [] in
  run ~domains:1 (fun () ->
      let ready, tell = Promise.create () in
      let body i =
        ran := i :: !ran;
        if i = 0 then await ready;
        if i = 10 then begin
          Promise.fulfil tell ();
          Failing.raise_here 10
        end;
        ended := i :: !ended
      in
      Failing.check 10 (fun () -> loop ~grain:10 body));
  Alcotest.(check (list int)) "what ran" (List.init 11 Fun.id) (List.rev !ran);
  Alcotest.(check (list int)) "what ended" (List.init 9 succ @ [ 0 ]) (List.rev !ended)

let first_wins (loop : Loop_forms.loop) () =
  run ~domains:1 (fun () ->
      let ready, tell = Promise.create () in
      let body i =
        if i = 3 then begin
          await ready;
          Failing.raise_here 3
        end;
        if i = 12 then begin
          Promise.fulfil tell ();
          Failing.raise_here 12
        end
      in
      Failing.check 12 (fun () -> loop ~grain:1 body))

(* Whatever started has ended when the failure is raised. *)
let waits (loop : Loop_forms.loop) () =
  run ~domains:4 (fun () ->
      for _ = 1 to 200 do
        let started = Atomic.make 0 and ended = Atomic.make 0 in
        let body i =
          Atomic.incr started;
          Fun.protect
            (fun () -> if i = 10 then Failing.raise_here 10 else await (async ignore))
            ~finally:(fun () -> Atomic.incr ended)
        in
        Failing.check 10 (fun () -> loop ~grain:1 body);
        Alcotest.(check int) "ended" (Atomic.get started) (Atomic.get ended)
      done)

let on_forms forms test = List.map (fun (name, loop) -> Watchdog.case name (test loop)) forms

let () =
  let by_iteration =
    List.filter
      (fun (name, _) -> List.mem name [ "for"; "reduce"; "fold"; "collect"; "find_any" ])
      forms
  in
  Alcotest.run "unit loop_failures"
    [
      ("places", List.map (fun (p : Place.t) -> Watchdog.case p.name (fails p)) Place.all);
      ("combine", [ Watchdog.case "fails" combine_fails ]);
      ("the unstarted are skipped", on_forms forms skips);
      ("the rest stops at once", on_forms by_iteration stops_at_once);
      ("the first failure wins", on_forms by_iteration first_wins);
      ("the started have ended", on_forms forms waits);
    ]
