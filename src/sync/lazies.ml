(* Lazy value: Delayed --force--> Forced outcome, once. Who forces it passes a turnstile for one. *)

type 'a state = Delayed of (unit -> 'a) * Turnstile.t | Forced of ('a, Failure.t) result
type 'a t = 'a state Atomic.t

let from_fun f = Atomic.make (Delayed (f, Permits.create ~most:1 1))
let from_val v = Atomic.make (Forced (Ok v))

let is_val l =
  match Atomic.get l with Forced (Ok _) -> true | Forced (Error _) | Delayed _ -> false

let rec force l =
  match Atomic.get l with
  | Forced outcome -> Failure.get outcome
  | Delayed (f, turnstile) ->
      let first () =
        match Atomic.get l with
        | Forced _ -> ()
        | Delayed _ -> Atomic.set l (Forced (Failure.catch f))
      in
      Turnstile.within turnstile first;
      force l
