(* Tokens: a cancellation against the begin and the end of what it is for. *)

exception Reason

let causes (t : Token.t) = Bool.to_int (Token.is_interrupted t)

(* Whoever works in a token below one that is cancelled does not begin, or is cancelled until it ends;
   when all has ended there is no cause left. *)
let begins make () =
  let parent = Token.root ignore in
  Token.make_known parent;
  let child : Token.t = make parent in
  let runs = Plain.make false and begun = ref false and sees = ref false and called = ref false in
  (* The worker: see [Worker.alert_all]. *)
  Token.on_cancellation (fun () -> if Plain.get runs then called := true);
  let work () =
    Plain.set runs true;
    begun := Token.start child;
    sees := Token.is_interrupted child
  and cancel () = Token.cancel parent Reason in
  let finally () =
    Alcotest.(check bool) "cancelled" true (Token.is_cancelled child);
    Alcotest.(check bool) "has seen it, or is told" true ((not !begun) || !sees || !called);
    Alcotest.(check bool) "reason" true (Token.reason child == Reason);
    Token.finish child;
    Token.finish parent;
    Alcotest.(check int) "causes" 0 (causes child)
  in
  ([ work; cancel; Plain.drain 0 runs ], finally)

(* Code waits, two or three levels below what is cancelled. Two that wait enter the lists together. *)
let waits ~waiters () =
  let top = Token.root ignore in
  Token.make_known top;
  let middle = Token.task top in
  let waiter () =
    let token = Token.task middle and sees = ref false and called = ref false in
    let step = Atomic.make 0 in
    let wait () =
      Token.begin_wait token (fun () -> called := true);
      Atomic.incr step;
      Token.be_listed token;
      sees := Token.is_interrupted token
    and finally () =
      Alcotest.(check bool) "cancelled" true (Token.is_cancelled token);
      Alcotest.(check bool) "has seen it, or is told" true (!sees || !called)
    in
    (wait, finally)
  in
  let waits, ends = List.split (List.init waiters (fun _ -> waiter ())) in
  ((fun () -> Token.cancel top Reason) :: waits, fun () -> List.iter (fun f -> f ()) ends)

(* The end of a scope, whose token its parent and another cancel meanwhile. *)
let ends ~from_above ~from_inside () =
  let parent = Token.root ignore in
  Token.make_known parent;
  let scope = Token.task parent in
  let below = Token.task scope in
  ignore (Token.start scope : bool);
  ignore (Token.start below : bool);
  let work () =
    Token.finish below;
    Token.finish scope
  and cancel_above () = Token.cancel parent Reason
  and cancel_inside () = Token.cancel scope Reason in
  let finally () =
    Alcotest.(check bool) "over" false (Token.is_cancelled scope || Token.is_cancelled below);
    Alcotest.(check (pair int int)) "causes" (0, 0) (causes scope, causes below);
    Alcotest.(check bool) "the reason is forgotten" true (Token.reason scope == Exit);
    Alcotest.(check int) "causes outside" (Bool.to_int from_above) (causes parent)
  in
  let cancels =
    (if from_above then [ cancel_above ] else []) @ if from_inside then [ cancel_inside ] else []
  in
  (work :: cancels, finally)

(* A fiber that goes on outside of the body, which somebody interrupts meanwhile. *)
let interrupted_outside () =
  let outer = Token.root ignore in
  let inner = Token.task outer in
  let called = ref false and sees = ref false in
  let enter () =
    Token.attend inner (fun () -> called := true);
    Token.surround ~outer inner;
    sees := Token.is_interrupted inner
  and interrupt () =
    Token.count_cause outer Reason;
    Token.call_attention outer
  in
  let finally () =
    Alcotest.(check bool) "interrupted" true (Token.is_interrupted inner);
    Alcotest.(check bool) "has seen it, or is told" true (!sees || !called)
  in
  ([ enter; interrupt ], finally)

(* Code begins that may be interrupted ([Section.begin_user_code]), while its canceller looks whether it is such code
   ([Interrupter.request]). *)
let begins_to_be_interruptible () =
  let token = Token.root ignore in
  let interruptible = Plain.make false and is_requested = ref false in
  let look () = if Token.is_alerted_now token then is_requested := true
  and request () = if Plain.get interruptible then is_requested := true in
  let work () =
    Plain.set interruptible true;
    look ()
  and interrupt () =
    Token.count_cause token Reason;
    request ()
  and finally () = Alcotest.(check bool) "requested" true !is_requested in
  ([ work; interrupt; Plain.drain 0 interruptible ], finally)

let case name setup = Explore.case name (Plain.delayed ~fences:true setup)

let () =
  Alcotest.run "model token"
    [
      ( "begin",
        [
          case "of a task" (begins Token.task);
          case "of a fork" (begins (Token.create ignore Fork));
          Explore.finds "not without a fence" (Plain.delayed ~fences:false (begins Token.task));
        ] );
      ( "wait",
        [ Explore.case "of one" (waits ~waiters:1); Explore.case "of two" (waits ~waiters:2) ] );
      ( "end of a scope",
        [
          Explore.case "cancelled from above" (ends ~from_above:true ~from_inside:false);
          Explore.case "cancelled itself" (ends ~from_above:false ~from_inside:true);
          Explore.case "both" (ends ~from_above:true ~from_inside:true);
        ] );
      ( "extent",
        [
          case "interrupted outside" interrupted_outside;
          case "is interruptible" begins_to_be_interruptible;
          Explore.finds "or not without a fence"
            (Plain.delayed ~fences:false begins_to_be_interruptible);
        ] );
    ]
