(* Divisible.

   A call is one run of all iterations (see [Run]), which makes no job before somebody wants one. What it
   gives is a run of its own, wherever that is taken. Nobody joins a part: it leaves its share, and is
   counted down. So an iteration that is suspended does not keep the others, and a worker that has done
   its run is free. Only the call waits until all have ended, and combines their shares then.

   A run counts itself in [left], and each part that it gives from then on. Who counts that down to zero passes the
   shares that were left there on to the run that has given it, and counts that down; and at the call, wakes it. So
   parts meet where they were given, and not all at one line. Kernel: for-20ns (of the simulated programs).

   Runs fail together. The first failure cancels all parts, by the token above theirs, and is a cause for
   the caller until the call has ended. *)

type 'a shares =
  | Share of int * 'a
  (* with its first iteration *)
  | Shares of 'a shares list

(* Where parts are counted, and leave their shares. *)
type 'a place = Nowhere | Call | Part of 'a part

and 'a part = {
  run : int Atomic.t; (* [left] *)
  mutable passed : 'a shares list; [@atomic]
  giver : 'a place;
  depth : int;
}

type 'a parts = {
  token : Token.t; (* above those of all parts *)
  ended : unit Ivar.t;
  has_failed : bool Atomic.t; (* which is a cause for the caller *)
  mutable own_has_ended : bool; (* the call's own run *)
  shares : 'a shares list Atomic.t;
}

type 'a call = {
  caller : Context.t;
  errors : Error_group.t;
  grain : int;
  combine : ('a -> 'a -> 'a) option; (* [None] where there is nothing to combine *)
  steps : Run.t -> int -> 'a;
  left : int Atomic.t;
  mutable parts : 'a parts option; [@atomic] (* made by the first that needs it *)
}

let[@inline] made call = Atomic.Loc.get [%atomic.loc call.parts]

let rec parts call =
  match made call with
  | Some parts -> parts
  | None ->
      let token = Token.task call.caller.token in
      ignore (Token.start token : bool);
      let has_failed = Atomic.make false and shares = Atomic.make [] in
      let fresh =
        Some { token; ended = Ivar.create (); has_failed; own_has_ended = false; shares }
      in
      if not (Atomic.Loc.compare_and_set [%atomic.loc call.parts] None fresh) then
        Token.finish token;
      parts call

let[@poll error] count_failure call parts reason =
  if not (Atomic.exchange parts.has_failed true) then Token.count_cause call.caller.token reason

let[@poll error] forgive_failure call parts =
  if Atomic.exchange parts.has_failed false then Token.forgive call.caller.token

(* What was interrupted is begun again. *)
let fail call parts (failure : Failure.t) =
  let reason = Error_group.reason failure.exn in
  Error_group.add call.errors failure;
  Token.cancel parts.token reason;
  count_failure call parts reason;
  Token.call_attention call.caller.token

(* What counts to zero at a place, from a part upwards. What is interrupted goes on where it was. *)
type 'a ending = {
  mutable is_counted : bool; (* the part itself *)
  mutable ended : 'a place; (* all that was counted there *)
  mutable is_passed : bool; (* its shares *)
}

let[@poll error] count_down ending left place =
  ending.is_counted <- true;
  ending.is_passed <- false;
  ending.ended <- (if Atomic.fetch_and_add left (-1) = 1 then place else Nowhere)

let rec add_share part share =
  let before = Atomic.Loc.get [%atomic.loc part.passed] in
  if not (Atomic.Loc.compare_and_set [%atomic.loc part.passed] before (share :: before)) then
    add_share part share

let leave_share parts place share =
  match place with
  | Part part -> add_share part share
  | Call | Nowhere -> Shared.change parts.shares (List.cons share)

let left_at call = function Part { run; _ } -> run | Call | Nowhere -> call.left

(* Halves of halves are no deeper in a pool of a hundred. Where each iteration is suspended, what is left of the run is
   the next part each time: then the parts below this depth are counted together. *)
let deepest = 8

let place_below giver =
  let below depth = Part { run = Atomic.make 1; passed = []; giver; depth } in
  match giver with
  | Part { depth; _ } -> if depth < deepest then below (depth + 1) else giver
  | Call | Nowhere -> below 1

let rec end_upwards call (parts : _ parts) ending =
  match ending.ended with
  | Nowhere -> ()
  | Call -> ignore (Ivar.fill parts.ended () : bool)
  | Part ({ giver; _ } as part) ->
      if not ending.is_passed then begin
        (match Atomic.Loc.get [%atomic.loc part.passed] with
        | [] -> ()
        | shares -> leave_share parts giver (Shares shares));
        ending.is_passed <- true
      end;
      count_down ending (left_at call giver) giver;
      end_upwards call parts ending

(* A run: its iterations are [next .. stop - 1]. It must come to its end also when an iteration has filled
   the stack, or it would go on giving parts that nobody wants. *)
let rec run_of call (w : Worker.t) place ~left ~was_offer next stop =
  Section.reserve_stack ();
  let run =
    Run.create call.errors w ~grain:call.grain ~left ~body:(run_part call place) next stop
  in
  match
    Run.start run ~was_offer;
    call.steps run next
  with
  | share ->
      Run.finish run;
      share
  | exception exn -> Failure.raise_after Run.abandon run exn

(* The job of a part, in a section. Once it has begun nothing is allocated but by its own code and by
   what insists. *)
and run_part : 'a. 'a call -> 'a place -> was_offer:bool -> int -> int -> unit =
 fun call giver ~was_offer first behind ->
  let parts = parts call and place = place_below giver in
  let left = left_at call place in
  let context = { call.caller with token = Token.task parts.token } in
  let work () =
    Error_group.check call.errors;
    Task.poll ();
    run_of call (Worker.here ()) place ~left ~was_offer first behind
  in
  let is_stored = ref false in
  let ending = { is_counted = false; ended = Nowhere; is_passed = false } in
  let finish outcome =
    if not !is_stored then begin
      (match Job.let_go context.token outcome with
      | Ok share ->
          if Option.is_some call.combine then leave_share parts place (Share (first, share))
      | Error failure -> fail call parts failure);
      is_stored := true
    end;
    Token.finish context.token;
    if not ending.is_counted then count_down ending left place;
    end_upwards call parts ending
  in
  Admission.begin_task (Worker.here ()) context;
  Shared.insist finish (Task.catch work)

let[@poll error] end_own call parts =
  if not parts.own_has_ended then begin
    parts.own_has_ended <- true;
    ignore (Atomic.fetch_and_add call.left (-1) : int)
  end

(* The call's own run has ended: waits for the parts. *)
let await_parts call parts =
  let w = Worker.here () and since = System.now () in
  end_own call parts;
  let have_ended () = Atomic.get call.left = 0 || Ivar.is_full parts.ended in
  if not (have_ended ()) then Wait.briefly have_ended;
  if not (have_ended ()) then
    Wait.until_ended "waits for the rest of a loop" (Ivar.on_fill parts.ended)
      ~cancel:(Token.cancel parts.token);
  Worth.end_shared_loop w ~since;
  forgive_failure call parts;
  Token.finish parts.token

(* In a section. What a signal's handler raises meanwhile is one failure more. No safepoint lies at its
   start, as in [Shared.insist]. *)
let rec join call failure =
  try
    let parts = parts call in
    if failure != Failure.none then fail call parts failure;
    await_parts call parts
  with exn ->
    let late = Failure.caught exn in
    join call failure;
    join call late;
    ()

let[@inline] has_parts call = Atomic.get call.left > 1 || Option.is_some (made call)

let rec all shares =
  List.concat_map (function Share (i, v) -> [ (i, v) ] | Shares s -> all s) shares

let with_parts call share =
  match (call.combine, made call) with
  | Some combine, Some { shares; _ } when Atomic.get shares <> [] ->
      let others = List.sort (fun (i, _) (j, _) -> Int.compare i j) (all (Atomic.get shares)) in
      let shares = Array.of_list ((min_int, share) :: others) in
      let rec combined first last =
        if first = last then snd shares.(first)
        else
          let middle = (first + last) / 2 in
          let left, right =
            Fork_join.both (fun () -> combined first middle) (fun () -> combined (middle + 1) last)
          in
          combine left right
      in
      combined 0 (Array.length shares - 1)
  | _ -> share

(* Nothing is allocated between the end of [run_of] and the section. *)
let run_inside (w : Worker.t) ~combine ~grain ~steps start stop =
  let call =
    {
      caller = w.context;
      errors = Error_group.create ();
      grain;
      combine;
      steps;
      left = Atomic.make 1;
      parts = None;
    }
  in
  match run_of call w Call ~left:call.left ~was_offer:false start stop with
  | share when not (has_parts call) -> share
  | share ->
      let is_outermost = Section.enter () in
      join call Failure.none;
      Section.exit is_outermost;
      if Error_group.has_failed call.errors then Error_group.fail call.errors
      else with_parts call share
  | exception exn when has_parts call ->
      let is_outermost = Section.enter () in
      join call (Failure.caught exn);
      Section.exit is_outermost;
      Error_group.fail call.errors

(* How many pieces an instrument sees at least of a loop that combines what its iterations come to. *)
let finest = 256

(* What is longer is halved by forks. *)
let longest ~combine ~start ~finish =
  if !Hooks.installed.finest && Option.is_some combine && finish - start >= 0 then
    Int.max 1 ((finish - start) / finest)
  else max_int

(* All of start .. finish, which is not empty. An interval of more than [max_int] integers is halved
   first, and [max_int] is taken by itself, so that the end of what is divided is above the rest. *)
let rec over (w : Worker.t) ~longest ~combine ~grain ~steps start finish =
  let is_long = finish - start < 0 || finish - start >= longest in
  if start = finish || not (is_long || finish = max_int) then
    run_inside w ~combine ~grain ~steps start (finish + 1)
  else
    let middle =
      if is_long then (start land finish) + ((start lxor finish) asr 1) else finish - 1
    in
    let left, right =
      Fork_join.both
        (fun () -> over (Worker.here ()) ~longest ~combine ~grain ~steps start middle)
        (fun () -> over (Worker.here ()) ~longest ~combine ~grain ~steps (middle + 1) finish)
    in
    match combine with Some combine -> combine left right | None -> left

let run_anywhere ~combine ~grain ~steps ~start ~finish =
  let longest = longest ~combine ~start ~finish in
  match Worker.mine () with
  | Some w ->
      Point.pass_loop w (finish - start + 1);
      over (Worker.here ()) ~longest ~combine ~grain ~steps start finish
  | None ->
      Pool.inside (fun () -> over (Worker.here ()) ~longest ~combine ~grain ~steps start finish)

let run ~grain ~combine ~steps ~start ~finish =
  run_anywhere ~combine:(Some combine) ~grain ~steps ~start ~finish

let run_unit ~grain ~steps ~start ~finish = run_anywhere ~combine:None ~grain ~steps ~start ~finish
