(* Lazy value: the first caller passes a turnstile for one, and finds for all what they then share.

   Delayed --force--> Forced outcome, once.

   That a task was cancelled while it forced says nothing about the value: then the next one that
   wants it forces it. *)
type 'a state = Delayed of (unit -> 'a) * Turnstile.t | Forced of ('a, Failure.t) result
type 'a t = 'a state Atomic.t

let from_fun f = Atomic.make (Delayed (f, Turnstile.create "forces a lazy value" ~most:1 1))
let from_val v = Atomic.make (Forced (Ok v))

let is_val l =
  match Atomic.get l with Forced (Ok _) -> true | Forced (Error _) | Delayed _ -> false

let rec forced l =
  match Atomic.get l with
  | Forced outcome -> Failure.get outcome
  | Delayed (f, turnstile) ->
      let first () =
        match Atomic.get l with
        | Forced _ -> ()
        | Delayed _ -> (
            match Failure.catch f with
            | Error ({ exn = Token.Cancelled _; _ } as failure) -> Failure.raise failure
            | outcome -> Atomic.set l (Forced outcome))
      in
      Turnstile.protect_alone "Lazy.force" turnstile first;
      forced l

let force l =
  Point.pass ();
  forced l
