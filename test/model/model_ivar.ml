(* The ivar: one fill wins, and each waiter is called once, when the cell is full. *)

(* The processes fill the cell with their number, or wait for it. *)
let model ~fills ~waiters () =
  let c = Ivar.create () in
  let won = ref [] and calls = Array.make waiters 0 in
  let fill v () = if Ivar.fill c v then won := v :: !won in
  let wait i () =
    Ivar.on_fill c (fun () ->
        Alcotest.(check bool) "full when called" true (Option.is_some (Ivar.peek c));
        calls.(i) <- calls.(i) + 1)
  in
  let finally () =
    Alcotest.(check int) "fills that won" 1 (List.length !won);
    Alcotest.(check (option int)) "what fills the cell" (Some (List.hd !won)) (Ivar.peek c);
    Alcotest.(check (array int)) "calls of each waiter" (Array.make waiters 1) calls
  in
  (List.init fills fill @ List.init waiters wait, finally)

(* Who leaves is called once at most; who stays, once. *)
let leaving ~stay ~leave () =
  let c = Ivar.create () in
  let calls = Array.make (stay + leave) 0 in
  let call i () = calls.(i) <- calls.(i) + 1 in
  let wait i () = Ivar.on_fill c (call i) in
  let pass i () =
    let seat = Ivar.seat () in
    Ivar.sit c seat (call (stay + i));
    Ivar.stand_up seat
  in
  let finally () =
    let called i n = if i < stay then n = 1 else n <= 1 in
    Alcotest.(check bool) "calls" true (Array.for_all Fun.id (Array.mapi called calls))
  in
  let fill () = ignore (Ivar.fill c 0 : bool) in
  ((fill :: List.init stay wait) @ List.init leave pass, finally)

(* As in [Combine]: another has the waiter stand up when it needs the cell no more, be it that it sits by
   then or not. It looks for that when it sits. *)
let stood_up ~others () =
  let c = Ivar.create () and over = Ivar.create () in
  let seat = Ivar.seat () and called = ref false in
  let sit () =
    Ivar.sit c seat (fun () -> called := true);
    if Ivar.is_full over then Ivar.stand_up seat
  and settle () =
    ignore (Ivar.fill over () : bool);
    Ivar.stand_up seat
  and wait () = Ivar.on_fill c ignore in
  let finally () =
    ignore (Ivar.fill c 0 : bool);
    Alcotest.(check bool) "called" false !called
  in
  (sit :: settle :: List.init others (fun _ -> wait), finally)

let () =
  Alcotest.run "model ivar"
    [
      ( "ivar",
        [
          Explore.case "two fills" (model ~fills:2 ~waiters:0);
          Explore.case "three fills" (model ~fills:3 ~waiters:0);
          Explore.case "a fill, a waiter" (model ~fills:1 ~waiters:1);
          Explore.case "a fill, two waiters" (model ~fills:1 ~waiters:2);
          Explore.case "two fills, two waiters" (model ~fills:2 ~waiters:2);
          Explore.case "a fill, one that leaves" (leaving ~stay:0 ~leave:1);
          Explore.case "a fill, a waiter, one that leaves" (leaving ~stay:1 ~leave:1);
          Explore.case "a fill, two that leave" (leaving ~stay:0 ~leave:2);
          Explore.case "a fill, a waiter, two that leave" (leaving ~stay:1 ~leave:2);
          Explore.case "one that another stands up" (stood_up ~others:0);
          Explore.case "the same, beside two waiters" (stood_up ~others:2);
        ] );
    ]
