(* Inbox: an immutable list behind one atomic. Taking all of it at once leaves no ABA problem and no
   node to reclaim. *)

type 'a t = 'a list Atomic.t

let create () = Atomic.make_contended []

let rec add b x =
  let items = Atomic.get b in
  (* Publishes [x]; pairs with the exchange in [take_all]. *)
  if not (Atomic.compare_and_set b items (x :: items)) then add b x

let[@inline] is_empty b = match Atomic.get b with [] -> true | _ :: _ -> false

(* The read first spares the others' caches when there is nothing. *)
let[@inline] take_all b = if is_empty b then [] else Atomic.exchange b []
