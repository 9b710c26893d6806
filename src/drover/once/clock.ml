(* Clock, or second chance (Corbató, "A paging experiment with the Multics system", 1968).

   The hand goes round, one place further with each look, whoever looks. Of two that come to the same place
   after a round, one is first, and the other goes on. An item is evicted before another takes its place: so
   there is never one too many, and at most one was evicted in vain. *)

type 'a t = { places : 'a option Atomic.t array; hand : int Atomic.t }

let create bound = { places = Array.init bound (fun _ -> Atomic.make None); hand = Atomic.make 0 }

let add t ~was_used ~evict item =
  let bound = Array.length t.places in
  (* In a whole round the hand passes each item once, however often they are used meanwhile. *)
  let rec go left =
    let at = Atomic.fetch_and_add t.hand 1 land max_int mod bound in
    let place = t.places.(at) in
    match Atomic.get place with
    | Some item when left > 0 && was_used item -> go (left - 1)
    | before ->
        Option.iter evict before;
        if not (Atomic.compare_and_set place before (Some item)) then go left
  in
  go bound
