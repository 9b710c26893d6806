(* Lazy value: Delayed --force--> Forced outcome, once. Who forces it passes a turnstile for one.

   That a task was cancelled while it forced says nothing about the value: then the next one that
   wants it forces it. *)

type 'a state = Delayed of (unit -> 'a) * Sole.t | Forced of ('a, Failure.t) result
type 'a t = 'a state Atomic.t

let from_fun f = Atomic.make (Delayed (f, Sole.create ()))
let from_val v = Atomic.make (Forced (Ok v))

let is_val l =
  match Atomic.get l with Forced (Ok _) -> true | Forced (Error _) | Delayed _ -> false

let set l outcome =
  (match outcome with
  | Error { Failure.exn = Token.Cancelled _; _ } -> ()
  | Ok _ | Error _ -> Atomic.set l (Forced outcome));
  Failure.get outcome

let force l =
  match Atomic.get l with
  | Forced outcome -> Failure.get outcome
  | Delayed (f, sole) ->
      let first () =
        match Atomic.get l with
        | Forced outcome -> Failure.get outcome
        | Delayed _ -> set l (Failure.catch f)
      in
      Sole.within "Lazy.force" sole first
