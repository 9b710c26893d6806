(* Job.

   Private --publish--> Public --claim--> Taken --finish--> Ended
      |                   |                 |                 ^
      +-----recall--------+--> Gone         +--on_end k--> Awaited k --finish

   A fork:

   1. It starts Private: it lies on the fork stack of its owner, the worker that forked, and only the
      domain of that worker may run it, without any atomic step.
   2. The owner publishes it. Then the thief that makes the step to Taken runs it.
   3. Its join recalls it, and then runs or skips it; or waits for the thief.

   All steps but the owner's look at Private are compare-and-sets.

   From Public on the job has a context, which is that of its task if a thief runs it. When a fork
   fails there, that is a cause to stop for the fiber that will join it (see [Token]), until it does.

   A Private fork is recalled when its frame was carried off to another domain by an effect handler
   of the user's while its job stayed on the stack: its join may not take it as its own.

   Ready, Part --claim--> Begun

   A task, or a part of a loop. A task that awaits it may claim it, too: so a deque or an inbox may hold it
   when it has begun.

   Rest --claim--> Resumed

   A rest.

   A claim allocates nothing: it is part of the one step that takes a job (see [Search]). *)

type 'a state =
  | Private
  | Public of 'a published
  | Taken of 'a published
  | Awaited of 'a published * (unit -> unit)
  | Ended of 'a published
  | Gone
  | Ready
  | Part
  | Begun
  | Rest
  | Resumed

and 'a published = {
  context : Context.t;
  mutable taken : 'a state;
  mutable outcome : ('a, Failure.t) result;
  mutable is_cause : bool; (* its failure, for its owner *)
}

type 'a job = { mutable state : 'a state; [@atomic] mutable body : unit -> 'a }
type t = Job : 'a job -> t [@@unboxed]

let fork body = { state = Private; body }
let[@inline] task body = Job { state = Ready; body }
let[@inline] part body = Job { state = Part; body }
let[@inline] rest body = Job { state = Rest; body }
let no_outcome = Error Failure.none

let public context =
  let p = { context; taken = Gone; outcome = no_outcome; is_cause = false } in
  p.taken <- Taken p;
  Public p

let none = Job { state = Gone; body = ignore }
let[@inline] state j = Atomic.Loc.get [%atomic.loc j.state]
let[@inline] is_private j = Atomic.Loc.get [%atomic.loc j.state] == Private
let[@inline] step j before after = Atomic.Loc.compare_and_set [%atomic.loc j.state] before after
let[@inline] publish j public = step j Private public

let[@poll error] recall j =
  (is_private j && step j Private Gone)
  || match state j with Public _ as before -> step j before Gone | _ -> false

let is_gone j = match state j with Gone -> true | _ -> false

let[@inline] claim j =
  match state j with
  | Public p as before -> step j before p.taken
  | Ready -> step j Ready Begun
  | Part -> step j Part Begun
  | Rest -> step j Rest Resumed
  | Private | Taken _ | Awaited _ | Ended _ | Gone | Begun | Resumed -> false

let[@inline] is_begun (Job j) = match state j with Begun -> true | _ -> false

let is_claimable (Job j) =
  match state j with
  | Public _ | Ready | Part | Rest -> true
  | Private | Taken _ | Awaited _ | Ended _ | Gone | Begun | Resumed -> false

let is_apart (Job j) = match state j with Ready | Rest -> true | _ -> false
let[@inline] is_ready j = match state j with Ready -> true | _ -> false
let gone () = assert false (* the worker that claimed the job took its body *)
let[@inline] forget_body j = j.body <- gone

let[@inline] published_of j =
  match state j with
  | Public p | Taken p | Awaited (p, _) | Ended p -> p
  | Private | Gone | Ready | Part | Begun | Rest | Resumed -> assert false

(* Publishes the outcome; pairs with the step in [on_end] and the read in [result]. *)
let rec finish j p =
  match state j with
  | Taken _ as before -> if not (step j before (Ended p)) then finish j p
  | Awaited (_, k) as before -> if step j before (Ended p) then Shared.insist k () else finish j p
  | Ended _ -> ()
  | Private | Public _ | Gone | Ready | Part | Begun | Rest | Resumed -> assert false

(* May be called again, if it was interrupted: what was given back is held no more. *)
let give_back_held token outcome =
  let left = Token.still_held token in
  let refuse () =
    let names = String.concat ", " (List.map (fun (h : Hold.t) -> h.name) left) in
    invalid_arg ("Drover.Mutex: a task ended while it held " ^ names)
  in
  let outcome = if left <> [] && Result.is_ok outcome then Failure.catch refuse else outcome in
  List.iter (fun (h : Hold.t) -> h.release ()) left;
  Token.forget_held token;
  outcome

let[@inline] let_go token outcome =
  if Token.holds_any token then give_back_held token outcome else outcome

let[@poll error] count_failure p parent reason =
  if not p.is_cause then begin
    p.is_cause <- true;
    Token.count_cause parent reason
  end

let[@inline] has_ended j = match state j with Ended _ -> true | _ -> false

(* A fork that failed is a cause for its owner, from before its step to Ended until its join (see
   [result]): so it is counted up before it is counted down. What was interrupted is begun again. *)
let conclude j outcome =
  let p = published_of j in
  if not (has_ended j) then begin
    p.outcome <- let_go p.context.token outcome;
    (match (p.outcome, p.context.token) with
    | Error failure, { kind = Fork; parent; _ } ->
        count_failure p parent (Error_group.reason failure.exn);
        Token.call_attention parent
    | _ -> ());
    Token.finish p.context.token;
    finish j p
  end

(* What is interrupted before the outcome is known may begin again; what has concluded in part has no reason any
   more, and goes on. *)
let skip j =
  let { context; _ } = published_of j and conclude = conclude j in
  forget_body j;
  let outcome = Failure.catch (fun () -> raise (Token.Cancelled (Token.reason context.token))) in
  Shared.insist conclude outcome

let cancel j reason =
  match state j with
  | Taken { context; _ } | Awaited ({ context; _ }, _) ->
      Token.cancel context.token (Error_group.reason reason)
  | _ -> ()

let rec on_end j k =
  match state j with
  | (Taken p | Awaited (p, _)) as before -> if not (step j before (Awaited (p, k))) then on_end j k
  | _ -> k ()

let result j =
  match state j with
  | Ended p ->
      let outcome = p.outcome in
      p.outcome <- no_outcome;
      if p.is_cause then begin
        p.is_cause <- false;
        Token.forgive p.context.token.parent
      end;
      Some outcome
  | _ -> None
