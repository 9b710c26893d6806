(* Job: a piece of work that some worker will run, at most once.

   Private --publish--> Public --claim--> Taken -------------------> Ended outcome | | ^
   +--------------recall----------------+--on_end k--> Awaited k ----+

   A fork starts Private: it lies on the fork stack of the worker that forked, and only the domain
   of that worker may run it, without any atomic step. Publishing makes it Public: then whoever
   makes the step to Taken runs it, be it a thief or the fork's own join. All steps but the owner's
   look at Private are compare-and-sets or exchanges.

   [recall] serves a fork whose frame was carried off to another domain by an effect handler of the
   user's while its job stayed on the stack: its join may not take it as its own, and claims it like
   a thief.

   A task (an [async], or the rest of a suspended one) starts Public. *)

type 'a state =
  | Private
  | Public
  | Taken
  | Awaited of (unit -> unit) (* Taken, and the fork's join is suspended *)
  | Ended of ('a, Failure.t) result

type 'a job = { mutable state : 'a state; [@atomic] mutable body : unit -> 'a }

(* What deques and stacks hold. *)
type t = Job : 'a job -> t [@@unboxed]

let fork body = { state = Private; body }
let task body = { state = Public; body }

(* Stands where a job used to be, so that nothing keeps the job alive. *)
let none = Job { state = Taken; body = ignore }
let[@inline] is_private j = Atomic.Loc.get [%atomic.loc j.state] == Private
let step j before after = Atomic.Loc.compare_and_set [%atomic.loc j.state] before after
let publish j = step j Private Public
let claim j = step j Public Taken
let recall j = step j Private Taken
let gone () = assert false (* whoever claimed the job took its body *)

(* A claimed job leaves its closure at once: a deque's slot may refer to the job for long. *)
let take_body j =
  let body = j.body in
  j.body <- gone;
  body

(* Runs a claimed job. *)
let run j =
  let outcome = Failure.catch (take_body j) in
  (* Publishes the outcome; pairs with the step in [on_end] and the read in [result]. *)
  match Atomic.Loc.exchange [%atomic.loc j.state] (Ended outcome) with
  | Awaited k -> k ()
  | Private | Public | Taken | Ended _ -> ()

(* Calls [k] once when the claimed job [j] has ended. For the one join of [j]. *)
let on_end j k = if not (step j Taken (Awaited k)) then k ()

(* The outcome of [j], if it has ended; [j] forgets it. *)
let result j =
  match Atomic.Loc.get [%atomic.loc j.state] with
  | Ended outcome ->
      Atomic.Loc.set [%atomic.loc j.state] Taken;
      Some outcome
  | Private | Public | Taken | Awaited _ -> None
