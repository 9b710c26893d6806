(* Divisible.

   A call is one run of all iterations (see [Run]), which makes no job before somebody wants one.
   What it gives is a run of its own, wherever that is taken. A run goes on with the leftmost
   part that it has given, in place, as long as nobody has taken that, and joins the others from
   left to right (see [Parts]). But where a loop has no result, the rest that a suspended
   iteration leaves is on its own: it is counted, and only the call of the loop waits for it (see
   [Alone]). Were it joined, every iteration that has suspended would stay until the last one.

   The parts fail together (see [Error_group]). Whoever fails asks all loops, as a thief would; those
   that see the failure then give up. *)

(* Whoever is asked looks at [errors] too. *)
let ask_all () = Array.iter Worker.ask_loops (Worker.here ()).team.members

(* May be called again. *)
let give_up errors run (failure : Failure.t) =
  Rest.leave (Run.rest run);
  Run.leave run;
  ask_all ();
  Parts.forget errors (Run.rest run) failure.exn

(* Whatever interrupts [step], but for code that cannot wait: that leaves its parts alone, and is the
   result. There is room on the stack: each run reserves it before it begins (see [go]). *)
let to_its_end step =
  let cannot_wait = ref None in
  Critical.finish (fun () ->
      try step () with Invalid_argument _ as exn -> cannot_wait := Some exn);
  !cannot_wait

(* What interrupts the end of a failed run is one more failure. Not a call at the end, here and in
   [join_alone], which would give it a safepoint at its start. *)
let rec fail errors run exn =
  let failure = Failure.caught exn in
  Sys.opaque_identity
    (match
       Error_group.add errors failure;
       Section.run to_its_end (fun () -> give_up errors run failure)
     with
    | None -> Error_group.skip errors
    | Some cannot_wait -> raise_notrace cannot_wait
    | exception Stack_overflow -> raise_notrace Stack_overflow
    | exception exn -> fail errors run exn)

(* A run that has begun must come to its end, also when an iteration has filled the stack: left in the
   list of loops it would go on giving parts that nobody wants. *)
let go (call : _ Run.call) w next stop =
  Critical.reserve_stack ();
  let run = Run.create call w next stop in
  match
    Run.enter run;
    Error_group.check call.errors;
    let share = call.steps run next in
    Run.leave run;
    let rest = Run.rest run in
    match Rest.given rest with
    | [] -> share
    | _ :: _ -> Parts.join call.errors rest call.combine share
  with
  | share -> share
  | exception exn -> fail call.errors run exn

(* All of start .. finish, which is not empty. An interval of more than [max_int] integers is halved
   first, and [max_int] is taken by itself, so that the end of what is divided is above the rest. *)
let rec cover : 'a. 'a Run.call -> Worker.t -> int -> int -> 'a =
 fun call w start finish ->
  let is_long = finish - start < 0 || finish - start = max_int in
  if start = finish || not (is_long || finish = max_int) then go call w start (finish + 1)
  else
    let middle =
      if is_long then (start land finish) + ((start lxor finish) asr 1) else finish - 1
    in
    let a, b =
      Fork_join.both
        (fun () -> cover call (Worker.here ()) start middle)
        (fun () -> cover call (Worker.here ()) (middle + 1) finish)
    in
    Error_group.piece call.errors (fun () -> call.combine a b)

(* The call has ended: waits for its parts on their own. Such a part may fail when the call has
   succeeded; and what interrupts the wait is one more failure. *)
let rec join_alone (call : _ Run.call) outcome =
  match Run.alone call with
  | None -> ()
  | Some alone -> (
      match Section.run to_its_end (fun () -> Alone.join alone call.errors outcome) with
      | None -> ()
      | Some cannot_wait -> raise cannot_wait
      | exception Stack_overflow -> raise Stack_overflow
      | exception exn -> Sys.opaque_identity (join_alone call (Failure.error exn)))

let conclude (call : _ Run.call) outcome =
  Error_group.finish call.errors (fun () ->
      Error_group.check call.errors;
      Failure.get outcome;
      assert false (* one of them raises *))

let run_inside (w : Worker.t) ~joins_all ~grain ~combine ~steps ~start ~finish =
  let call = Run.call w ~joins_all ~grain ~combine ~steps ~go in
  match
    let share = cover call w start finish in
    join_alone call (Ok ());
    share
  with
  | share when not (Error_group.has_failed call.errors) -> share
  | _ -> conclude call (Ok ())
  | exception exn ->
      let outcome = Failure.error exn in
      join_alone call outcome;
      conclude call outcome

let run_anywhere ~joins_all ~grain ~combine ~steps ~start ~finish =
  match Worker.mine () with
  | Some w -> run_inside w ~joins_all ~grain ~combine ~steps ~start ~finish
  | None ->
      Pool.inside (fun () ->
          run_inside (Worker.here ()) ~joins_all ~grain ~combine ~steps ~start ~finish)

let run ~grain ~combine ~steps ~start ~finish =
  run_anywhere ~joins_all:true ~grain ~combine ~steps ~start ~finish

(* The same without results. *)

let nothing () () = ()

let run_unit ~grain ~steps ~start ~finish =
  run_anywhere ~joins_all:false ~grain ~combine:nothing ~steps ~start ~finish
