(* Drover.Frontier: misuse, exceptions, and how a vertex of many edges is divided. *)

open Test_support
module F = Drover.Frontier

let outside = [ -1; 4; max_int; min_int ]
let none _ _ _ _ = ()
let no _ _ = false

let misuse () =
  Failing.misuse "Drover.Frontier.of_array:" (fun () -> F.of_array (-1) [||]);
  let f = F.of_array 4 [| 1 |] and rows = [| 0; 0; 1; 1; 1 |] in
  List.iter
    (fun v ->
      Failing.misuse "Drover.Frontier.of_array:" (fun () -> F.of_array 4 [| v |]);
      Failing.misuse "Drover.Frontier.mem:" (fun () -> F.mem f v);
      Failing.misuse "Drover.Frontier.send:" (fun () ->
          F.push f rows ~scatter:(fun out _ _ _ -> F.send out v 0) ~apply:no))
    outside;
  List.iter
    (fun rows ->
      Failing.misuse "Drover.Frontier.push:" (fun () -> F.push f rows ~scatter:none ~apply:no);
      Failing.misuse "Drover.Frontier.pull:" (fun () -> F.pull f rows ~gather:(fun _ -> no));
      Failing.misuse "Drover.Frontier.should_pull:" (fun () -> F.should_pull f rows))
    [ [||]; [| 0; 0; 1; 1 |]; [| 0; 0; 1; 1; 1; 1 |] ]

(* All edges are the first vertex's. *)
let many = 100_000
let hub_rows = [| 0; many; many; many; many |]
let hub () = F.of_array 4 [| 0 |]

let divided () =
  Drover.run ~domains:2 @@ fun () ->
  let seen = Array.init many (fun _ -> Atomic.make 0)
  and calls = Atomic.make 0
  and of_others = Atomic.make 0 in
  let scatter _ v lo hi =
    if v <> 0 then Atomic.incr of_others;
    Atomic.incr calls;
    for e = lo to hi do
      Atomic.incr seen.(e)
    done
  in
  let next = F.push (hub ()) hub_rows ~scatter ~apply:no in
  Alcotest.(check bool) "nobody joined" true (F.is_empty next);
  Alcotest.(check int) "of other vertices" 0 (Atomic.get of_others);
  Alcotest.(check bool) "in parts" true (Atomic.get calls > 1);
  Alcotest.(check bool) "each edge once" true (Array.for_all (fun n -> Atomic.get n = 1) seen)

(* As often as [apply] is true: at once, and in bins. *)
let joins_again () =
  let joined rows =
    let scatter out _ lo hi =
      for _ = lo to Int.min (lo + 1) hi do
        F.send out 3 0
      done
    in
    F.cardinal (F.push (hub ()) rows ~scatter ~apply:(fun _ _ -> true))
  in
  Alcotest.(check int) "at once" 2 (joined [| 0; 2; 2; 2; 2 |]);
  Alcotest.(check bool) "in bins" true (joined hub_rows >= 2)

let failures () =
  List.iter
    (fun domains ->
      Drover.run ~domains @@ fun () ->
      let send out _ lo hi =
        for e = lo to hi do
          F.send out (e land 3) e
        done
      and few = [| 0; 9; 9; 9; 9 |] in
      let fails n f = Failing.check n f in
      List.iter
        (fun rows ->
          fails 1 (fun () ->
              F.push (hub ()) rows ~scatter:(fun _ _ _ _ -> Failing.raise_here 1) ~apply:no);
          fails 2 (fun () ->
              F.push (hub ()) rows ~scatter:send ~apply:(fun _ _ -> Failing.raise_here 2)))
        [ few; hub_rows ];
      fails 3 (fun () -> F.pull (hub ()) hub_rows ~gather:(fun _ _ _ -> Failing.raise_here 3)))
    [ 1; 2 ]

(* What a caller keeps is not what the frontier has. *)
let copies () =
  let vertices = [| 1; 2 |] in
  let f = F.of_array 4 vertices in
  vertices.(0) <- max_int;
  (F.to_array f).(0) <- max_int;
  Alcotest.(check (array int)) "unchanged" [| 1; 2 |] (F.to_array f)

let () =
  Alcotest.run "frontier"
    [
      ( "frontier",
        [
          Watchdog.case "misuse" misuse;
          Watchdog.case "a vertex of many edges is divided" divided;
          Watchdog.case "a vertex joins as often as it is applied" joins_again;
          Watchdog.case "failures" failures;
          Watchdog.case "arrays are copied" copies;
        ] );
    ]
