(* Effects of the user's inside tasks, and continuations that carry open forks away. *)

open Test_support
open Drover
open Stdlib
open Effect
open Effect.Deep

type _ Effect.t += Ask : int -> int Effect.t | Pause : unit Effect.t

let with_answers f =
  match_with f ()
    {
      retc = Fun.id;
      exnc = raise;
      effc =
        (fun (type a) (eff : a Effect.t) ->
          match eff with
          | Ask n -> Some (fun (k : (a, _) continuation) -> continue k (n + 1))
          | _ -> None);
    }

let handled_inside domains () =
  let ask n = with_answers (fun () -> perform (Ask n)) in
  run ~domains (fun () ->
      Alcotest.(check int) "run" 2 (ask 1);
      Alcotest.(check (pair int int)) "both" (2, 3) (both (fun () -> ask 1) (fun () -> ask 2));
      Alcotest.(check int) "async" 4 (await (async (fun () -> ask 3))))

(* The task waits, with the user's handler on its stack. *)
let waits_inside_a_handler domains () =
  run ~domains (fun () ->
      let answer =
        with_answers (fun () ->
            let a = perform (Ask 1) in
            let b = await (async (fun () -> 10)) in
            let c, () = both (fun () -> await (async (fun () -> 100))) ignore in
            a + b + c + perform (Ask 999))
      in
      Alcotest.(check int) "sum" 1112 answer)

let handled_outside domains () =
  let unhandled what f =
    match f () with
    | _ -> Alcotest.failf "%s: the handler outside the task was found" what
    | exception Effect.Unhandled (Ask 1) -> ()
  in
  with_answers (fun () ->
      unhandled "run" (fun () -> run ~domains (fun () -> perform (Ask 1)));
      run ~domains (fun () ->
          with_answers (fun () ->
              unhandled "async" (fun () -> await (async (fun () -> perform (Ask 1))));
              Alcotest.(check int) "works on" 2 (perform (Ask 1)))))

(* Where it was performed, so a library can look for a handler and do without. *)
let probed () =
  run ~domains:2 (fun () ->
      let probe () = try perform (Ask 1) with Effect.Unhandled _ -> 0 in
      Alcotest.(check (pair int int)) "no handler" (0, 0) (both probe probe))

(* Continuations with open forks *)

type step = Done of int | Paused of (unit, step) continuation

let start f =
  match_with f ()
    {
      retc = (fun v -> Done v);
      exnc = raise;
      effc =
        (fun (type a) (eff : a Effect.t) ->
          match eff with Pause -> Some (fun (k : (a, step) continuation) -> Paused k) | _ -> None);
    }

let depth = 10

(* Pauses under [depth] open forks, and once at each of them when it is resumed. *)
let rec forks ran level () =
  if level = 0 then begin
    perform Pause;
    0
  end
  else
    let right () =
      Atomic.incr ran.(level - 1);
      1
    in
    let a, b = both (forks ran (level - 1)) right in
    perform Pause;
    a + b

let rec finish resume = function Done v -> v | Paused k -> finish resume (resume k)

(* However the pieces of the computation are moved about, each fork runs once. *)
let moved resume domains () =
  run ~domains (fun () ->
      for _ = 1 to 10 do
        let ran = Array.init depth (fun _ -> Atomic.make 0) in
        let total = finish resume (start (forks ran depth)) in
        Alcotest.(check int) "sum" depth total;
        Alcotest.(check (array int))
          "runs of each fork" (Array.make depth 1) (Array.map Atomic.get ran)
      done)

let resume k = continue k ()
let later k = resume (await (async (fun () -> k)))
let in_task k = await (async (fun () -> resume k))

(* The forks of the frame that resumes lie above those of the frames that are resumed. *)
let in_fork k =
  let rec nest n = if n = 0 then resume k else fst (both (fun () -> nest (n - 1)) ignore) in
  nest 5

let in_other_side k = snd (both ignore (fun () -> resume k))
let in_thread k = Place.in_thread (fun () -> resume k)
let in_domain k = Place.in_domain (fun () -> resume k)
let in_other_pool k = run ~domains:2 (fun () -> resume k)

(* Other forks come and go between the pause and the resumption. *)
let after_others k =
  ignore (Fib.fib 8 : int);
  resume k

(* Each of two computations is paused while the other goes on, on one stack. *)
let interleaved domains () =
  run ~domains (fun () ->
      for _ = 1 to 10 do
        let ran = Array.init 2 (fun _ -> Array.init depth (fun _ -> Atomic.make 0)) in
        let rec alternate one other =
          match one with
          | Paused k -> alternate other (resume k)
          | Done v -> v + finish resume other
        in
        let total = alternate (start (forks ran.(0) depth)) (start (forks ran.(1) depth)) in
        Alcotest.(check int) "sum" (2 * depth) total;
        Array.iter
          (fun ran ->
            Alcotest.(check (array int))
              "runs of each fork" (Array.make depth 1) (Array.map Atomic.get ran))
          ran
      done)

(* Never resumed: the forks may run, but not twice, and the pool can close. *)
let abandoned domains () =
  let ran = Array.init depth (fun _ -> Atomic.make 0) in
  run ~domains (fun () ->
      match start (forks ran depth) with Done _ -> Alcotest.fail "not paused" | Paused _ -> ());
  Array.iteri
    (fun i n -> if Atomic.get n > 1 then Alcotest.failf "fork %d ran %d times" i (Atomic.get n))
    ran

let discontinued domains () =
  let ran = Array.init depth (fun _ -> Atomic.make 0) in
  run ~domains (fun () ->
      match start (forks ran depth) with
      | Done _ -> Alcotest.fail "not paused"
      | Paused k ->
          Alcotest.check_raises "the exception" Exit (fun () -> ignore (discontinue k Exit)));
  Array.iteri
    (fun i n -> if Atomic.get n > 1 then Alcotest.failf "fork %d ran %d times" i (Atomic.get n))
    ran

let () =
  let on_each ?seconds name test =
    List.map
      (fun n -> Watchdog.case ?seconds (Printf.sprintf "%s, %d domains" name n) (test n))
      [ 1; 2; 4 ]
  in
  Alcotest.run "unit effects"
    [
      ( "handlers",
        on_each "inside" handled_inside
        @ on_each "waiting inside" waits_inside_a_handler
        @ on_each "outside" handled_outside
        @ [ Watchdog.case "probed" probed ] );
      ( "continuations",
        on_each "at once" (moved resume)
        @ on_each "after a wait" (moved later)
        @ on_each "in a task" (moved in_task)
        @ on_each "in a fork" (moved in_fork)
        @ on_each "in the other side of a fork" (moved in_other_side)
        @ on_each "in a systhread" (moved in_thread)
        @ on_each "in a domain" (moved in_domain)
        @ on_each ~seconds:300. "in another pool" (moved in_other_pool)
        @ on_each "after others" (moved after_others)
        @ on_each "interleaved" interleaved @ on_each "abandoned" abandoned
        @ on_each "discontinued" discontinued );
    ]
