(* Generators, made of effects, that are paused inside scopes and local values: their context goes
   with them, wherever they are resumed. *)

open Test_support
open Drover
open Stdlib
open Effect
open Effect.Deep

type _ Effect.t += Yield : int -> unit Effect.t
type step = Done | Next of int * (unit, step) continuation

let start f =
  match_with f ()
    {
      retc = (fun () -> Done);
      exnc = raise;
      effc =
        (fun (type a) (eff : a Effect.t) ->
          match eff with
          | Yield n -> Some (fun (k : (a, step) continuation) -> Next (n, k))
          | _ -> None);
    }

let yield n = perform (Yield n)
let next = function Next (_, k) -> continue k () | Done -> failwith "the generator has ended"
let key = Local.create "the consumer's"
let other_key = Local.create "nobody's"
let check_name what expected = Stranger.expect what expected (Local.get key)

(* A fork that another worker takes, if there is one. *)
let in_stolen_fork ~domains f =
  let begun = Atomic.make false in
  let wait () = if domains > 1 then Spin.until (fun () -> ignore (both ignore ignore); Atomic.get begun) in
  ignore (both wait (fun () -> Atomic.set begun true; f ())) [@@ocamlformat "disable"]

(* The generator sees its own value wherever it is resumed, and so do its forks; its consumer never
   sees it. *)
let local_values domains () =
  let generator () =
    Local.with_value key "the producer's" (fun () ->
        for n = 1 to 3 do
          check_name "in the generator" "the producer's";
          in_stolen_fork ~domains (fun () -> check_name "in its fork" "the producer's");
          ignore
            (both (fun () -> yield n) (fun () -> check_name "in its open fork" "the producer's"))
        done)
  in
  let check () =
    check_name "in the consumer" "the consumer's";
    in_stolen_fork ~domains (fun () -> check_name "in its fork" "the consumer's")
  in
  run ~domains (fun () ->
      let paused = start generator in
      check ();
      let paused = Local.with_value other_key "mine" (fun () -> next paused) in
      check ();
      let paused =
        await
          (async (fun () ->
               Local.with_value key "the task's" (fun () ->
                   let paused = next paused in
                   check_name "in the task" "the task's";
                   in_stolen_fork ~domains (fun () -> check_name "in its fork" "the task's");
                   paused)))
      in
      check ();
      (match next paused with Done -> () | Next _ -> Alcotest.fail "goes on");
      check ())

(* Where the generator itself has no value it sees that of its consumer; a fork of the consumer that
   was open meanwhile keeps its own. *)
let resumed_elsewhere domains () =
  run ~domains (fun () ->
      let generator () =
        ignore (both (fun () -> yield 1) ignore);
        check_name "resumed" "inner";
        in_stolen_fork ~domains (fun () -> check_name "its fork" "inner")
      in
      let paused = start generator in
      let rec nest n =
        if n = 0 then
          Local.with_value key "inner" (fun () ->
              ignore (next paused);
              in_stolen_fork ~domains (fun () -> check_name "the consumer's fork" "inner"))
        else
          ignore
            (both (fun () -> nest (n - 1)) (fun () -> check_name "an outer fork" "the consumer's"))
      in
      nest 5)

exception Stop

(* What fails in the generator's scope cancels the generator, and not its consumer. *)
let scope_fails domains () =
  run ~domains (fun () ->
      let ended, resolver = Promise.create () in
      let cancelled = ref false in
      let fail () =
        Fun.protect (fun () -> raise Stop) ~finally:(fun () -> Promise.fulfil resolver ())
      in
      let generator () =
        match
          Scope.run (fun s ->
              Scope.spawn s fail;
              yield 1;
              match await (fst (Promise.create ())) with
              | () -> ()
              | exception (Cancelled Stop as exn) ->
                  cancelled := true;
                  raise exn)
        with
        | () -> Alcotest.fail "the scope has not failed"
        | exception Stop -> yield 2
      in
      let paused = start generator in
      await ended;
      for _ = 1 to 10 do
        Scope.check ();
        ignore (both (fun () -> await (async ignore)) ignore);
        sleep 0.
      done;
      let paused = next paused in
      Alcotest.(check bool) "the generator was cancelled" true !cancelled;
      await (async ignore);
      match next paused with Done -> () | Next _ -> Alcotest.fail "goes on")

(* So does a stolen fork that fails while the generator is paused in it, inside of a scope. *)
let fork_fails () =
  run ~domains:2 (fun () ->
      let is_stolen = Atomic.make false and pauses = Atomic.make false in
      let failed = Atomic.make false in
      let fail () =
        Atomic.set is_stolen true;
        while not (Atomic.get pauses) do
          Domain.cpu_relax ()
        done;
        raise Stop
      in
      let rec pause () =
        ignore (both ignore ignore);
        if Atomic.get is_stolen then begin
          Atomic.set pauses true;
          yield 1
        end
        else pause ()
      in
      let generator () =
        match Scope.run (fun _ -> both pause fail) with
        | _ -> Alcotest.fail "the fork has not failed"
        | exception Stop -> Atomic.set failed true
      in
      let paused = start generator in
      for _ = 1 to 10 do
        Scope.check ();
        await (async ignore);
        sleep 0.001
      done;
      Alcotest.(check bool) "it waits for its join" false (Atomic.get failed);
      (match next paused with Done -> () | Next _ -> Alcotest.fail "goes on");
      Alcotest.(check bool) "the join has raised" true (Atomic.get failed);
      sleep 0.)

(* Outside of scopes, a generator that is paused in an open fork or loop is part of its consumer's code: what
   fails beside it cancels the consumer, until that resumes the generator, whose join raises the failure. *)

let around_fork pause fail = ignore (both pause fail)

let around_loop pause fail =
  parallel_for ~start:0 ~finish:1 (function 0 -> pause () | _ -> fail ())

let fails_beside around () =
  run ~domains:2 (fun () ->
      let is_taken = Atomic.make false and pauses = Atomic.make false in
      let pause () =
        Spin.until (fun () -> ignore (both ignore ignore); Atomic.get is_taken);
        Atomic.set pauses true;
        yield 1
      and fail () =
        Atomic.set is_taken true;
        Spin.until (fun () -> Atomic.get pauses);
        raise Stop
      in
      let paused = start (fun () -> around pause fail) in
      (match await (fst (Promise.create ())) with
      | () -> Alcotest.fail "nobody fulfils it"
      | exception Cancelled Stop -> ());
      (match next paused with
      | exception Stop -> ()
      | Done | Next _ -> Alcotest.fail "the generator was not cancelled");
      Scope.check ();
      sleep 0.)
[@@ocamlformat "disable"]

(* A generator that nobody resumes leaves nothing behind. *)
let dropped domains () =
  run ~domains (fun () ->
      let generator () =
        Local.with_value key "the producer's" (fun () ->
            Scope.protect (fun () -> Scope.run (fun s -> Scope.daemon s (fun () -> yield 0); yield 1)))
      in
      (match start generator with Next _ -> () | Done -> Alcotest.fail "not paused");
      check_name "afterwards" "the consumer's";
      ignore (both (fun () -> await (async ignore)) ignore))
[@@ocamlformat "disable"]

(* Whoever cancels the consumer cancels the generator that it resumes, in its scope or not. *)
let consumer_cancelled domains () =
  run ~domains (fun () ->
      let generator () =
        Scope.run (fun _ ->
            yield 1;
            await (fst (Promise.create ())))
      in
      let paused = start generator in
      match
        Scope.run (fun s ->
            Scope.spawn s (fun () -> raise Stop);
            next paused)
      with
      | _ -> Alcotest.fail "not cancelled"
      | exception Stop -> await (async ignore))

(* A fork's failure outside the scope reaches the scope's body. *)
let through_scopes domains () =
  run ~domains (fun () ->
      let rec scopes n =
        if n = 0 then await (fst (Promise.create ()))
        else Scope.run (fun _ -> Local.with_value key "inner" (fun () -> scopes (n - 1)))
      in
      match both (fun () -> scopes 5) (fun () -> raise Stop) with
      | _ -> Alcotest.fail "no failure"
      | exception Stop -> await (async ignore))

(* An effect that nobody handles is raised where it was performed, in its context. *)
let unhandled domains () =
  run ~domains (fun () ->
      Local.with_value key "inner" (fun () ->
          match yield 1 with
          | () -> Alcotest.fail "handled"
          | exception Effect.Unhandled (Yield 1) -> check_name "still" "inner");
      check_name "afterwards" "the consumer's")

(* Outside any task there is no context. *)
let in_a_thread resume () =
  run ~domains:2 (fun () ->
      let generator () = Local.with_value key "inner" (fun () -> yield 1; yield 2) in
      let paused = start generator in
      let paused = resume (fun () -> next paused) in
      check_name "in the task" "the consumer's";
      (match next paused with Done -> () | Next _ -> Alcotest.fail "goes on");
      check_name "in the end" "the consumer's")
[@@ocamlformat "disable"]

(* To wait takes no time for each of the forks and contexts that are open. *)
let deep () =
  run ~domains:1 (fun () ->
      let rec go n =
        if n = 0 then begin
          let promise = async ignore in
          await (async (fun () -> await promise))
        end
        else
          Local.with_value key "inner" (fun () ->
              let (), () = both (fun () -> go (n - 1)) ignore in
              ())
      in
      go 150_000)

let () =
  let on_each name test =
    List.map (fun n -> Watchdog.case (Printf.sprintf "%s, %d domains" name n) (test n)) [ 1; 2; 4 ]
  in
  Alcotest.run "unit generators"
    [
      ( "local values",
        on_each "a generator's" local_values
        @ on_each "its consumer's" resumed_elsewhere
        @ on_each "of an effect that nobody handles" unhandled
        @ [
            Watchdog.case "in a thread" (in_a_thread Place.in_thread);
            Watchdog.case "in a domain" (in_a_thread Place.in_domain);
            Watchdog.case ~seconds:300. "deep" deep;
          ] );
      ( "scopes",
        on_each "one that fails" scope_fails
        @ [ Watchdog.case "around a fork that fails" fork_fails ]
        @ on_each "dropped" dropped
        @ on_each "the consumer is cancelled" consumer_cancelled
        @ on_each "several" through_scopes );
      ( "failures",
        [
          Watchdog.case "beside a paused fork" (fails_beside around_fork);
          Watchdog.case "beside a paused loop" (fails_beside around_loop);
        ] );
    ]
