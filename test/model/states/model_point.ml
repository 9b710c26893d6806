(* Points: what a task is to look at, against the look at a point. It finds what is there, or the next point looks
   again. *)

exception Reason

(* What has a task look: its worker is alerted, after the step that the task finds. *)
type alert = Cancels | Adds_job | Calls_thread

let alerted (w : Worker.t) token = function
  | Cancels -> fun () -> Token.cancel token Reason
  | Adds_job ->
      fun () ->
        Atomic.incr !Slice.waiting;
        w.to_look <- true
  | Calls_thread ->
      fun () ->
        Atomic.set !Slice.called true;
        w.to_look <- true

(* The worker's earlier alert is why the task looks at all. *)
let point alerts () =
  let token = Token.root ignore in
  Token.make_known token;
  let w = Worker.create token in
  Token.attend token (fun () -> w.to_look <- true);
  Worker.current := Some w;
  Slice.waiting := Atomic.make 0;
  Slice.called := Atomic.make false;
  w.to_look <- true;
  let is_cancelled = ref false in
  let pass () = try Point.pass () with Token.Cancelled Reason -> is_cancelled := true in
  let finally () =
    Alcotest.(check bool) "looked, or looks again" true (!is_cancelled || w.to_look)
  in
  let processes = pass :: List.map (alerted w token) alerts and ({ to_look; _ } : Worker.t) = w in
  (processes @ List.mapi (fun id _ -> Plain.drain id to_look) processes, finally)

let cases =
  [
    ("a cancellation", [ Cancels ]);
    ("a job", [ Adds_job ]);
    ("the thread is called", [ Calls_thread ]);
  ]

let case explore ~fences (name, alerts) = explore name (Plain.delayed ~fences (point alerts))

let () =
  Alcotest.run "model point"
    [
      ("an alert is seen", List.map (case Explore.case ~fences:true) cases);
      ("or lost without the fence", List.map (case Explore.finds ~fences:false) cases);
    ]
