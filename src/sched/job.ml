(* Job: a piece of work that some worker will run, at most once.

   Private --publish--> Public --claim--> Taken --finish--> Ended --result--> Gone
      |                                     |                 ^
      +--recall--> Gone                     +--on_end k--> Awaited k --finish

   A fork starts Private: it lies on the fork stack of the worker that forked, and only the domain
   of that worker may run it, without any atomic step. Publishing makes it Public: then whoever
   makes the step to Taken runs it, be it a thief or the fork's own join. All steps but the owner's
   look at Private are compare-and-sets or exchanges.

   From Public on the job has a context, which is that of its task if a thief runs it. When a fork
   fails there, that is a cause to stop for whoever will join it (see [Token]), until then.

   [recall] serves a fork whose frame was carried off to another domain by an effect handler of the
   user's while its job stayed on the stack: its join may not take it as its own, and claims it like
   a thief.

   A task, such as an [async], is for nobody to join, and brings its context itself: its body begins
   with [Task.enter]. Whoever makes the step runs it; that may be who awaits it, so a deque or an
   inbox may hold it when it has begun.

   Ready --claim--> Begun

   The rest of a suspended task is always Rest: who takes it out of a deque or an inbox is the only
   one to have it. *)

type 'a state =
  | Private
  | Public of Context.t
  | Taken of Context.t
  | Awaited of Context.t * (unit -> unit) (* Taken, and the fork's join is suspended *)
  | Ended of Context.t * ('a, Failure.t) result
  | Gone
  | Ready
  | Begun
  | Rest

type 'a job = { mutable state : 'a state; [@atomic] mutable body : unit -> 'a }

(* What deques and stacks hold. *)
type t = Job : 'a job -> t [@@unboxed]

let fork body = { state = Private; body }
let[@inline] task body = Job { state = Ready; body }
let[@inline] rest body = Job { state = Rest; body }

(* The part of a task that whoever cut it off may want back. *)
let part context body = { state = Public context; body }

(* Stands where a job used to be, so that nothing keeps the job alive. *)
let none = Job { state = Gone; body = ignore }
let[@inline] state j = Atomic.Loc.get [%atomic.loc j.state]
let[@inline] is_private j = Atomic.Loc.get [%atomic.loc j.state] == Private
let step j before after = Atomic.Loc.compare_and_set [%atomic.loc j.state] before after
let publish j context = step j Private (Public context)
let recall j = step j Private Gone

let[@inline] claim j =
  match state j with
  | Public context as before -> step j before (Taken context)
  | Ready -> step j Ready Begun
  | Rest -> true
  | Private | Taken _ | Awaited _ | Ended _ | Gone | Begun -> false

(* Whether this is a task that somebody has claimed. *)
let is_begun (Job j) = match state j with Begun -> true | _ -> false
let gone () = assert false (* whoever claimed the job took its body *)

(* A claimed job leaves its closure at once: a deque's slot may refer to the job for long. *)
let[@inline] take_body j =
  let body = j.body in
  j.body <- gone;
  body

(* The context of a claimed fork. *)
let[@inline] context j =
  match state j with
  | Taken context | Awaited (context, _) -> context
  | Private | Public _ | Ended _ | Gone | Ready | Begun | Rest -> assert false

(* A fork that failed is a cause, for whom it is joined by, from its end to its join. *)
let joiner (context : Context.t) =
  match context.token with
  | { is_fork = true; parent = Some parent; _ } -> Some parent.fiber
  | _ -> None

let finish j outcome =
  let context = context j in
  Token.finish context.token;
  (* Publishes the outcome; pairs with the step in [on_end] and the read in [result]. *)
  let before = Atomic.Loc.exchange [%atomic.loc j.state] (Ended (context, outcome)) in
  (match outcome with
  | Error { Failure.exn; _ } ->
      Option.iter (fun fiber -> Token.interrupt fiber (Gather.reason exn)) (joiner context)
  | Ok _ -> ());
  match before with Awaited (_, k) -> k () | _ -> ()

(* Runs a claimed fork. *)
let run j =
  let outcome = Failure.catch (take_body j) in
  finish j (Token.let_go (context j).token.fiber outcome)

(* Runs a claimed task, whose body does not raise and ends its token, or the rest of one. *)
let run_task j = take_body j ()

(* Ends a claimed fork that was cancelled before it started. *)
let skip j =
  let fiber = (context j).token.fiber in
  j.body <- gone;
  finish j (Failure.catch (fun () -> raise (Token.Cancelled fiber.reason)))

(* Cancels a claimed fork, if it has not ended, because of what was raised. *)
let cancel j reason =
  match state j with
  | Taken context | Awaited (context, _) -> Token.cancel context.token (Gather.reason reason)
  | _ -> ()

(* Calls [k] once when the claimed job [j] has ended. For the one join of [j], which gives up what
   it waited with before. *)
let rec on_end j k =
  match state j with
  | (Taken context | Awaited (context, _)) as before ->
      if not (step j before (Awaited (context, k))) then on_end j k
  | _ -> k ()

(* The outcome of [j], if it has ended; [j] forgets it. *)
let result j =
  match state j with
  | Ended (context, outcome) ->
      Atomic.Loc.set [%atomic.loc j.state] Gone;
      if Result.is_error outcome then Option.iter Token.forgive (joiner context);
      Some outcome
  | _ -> None
