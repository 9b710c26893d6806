(* Inbox: the queue of Michael and Scott, "Simple, Fast, and Practical Non-Blocking and Blocking Concurrent
   Queue Algorithms" (PODC 1996), a list from the first node, whose item was taken, to the last.

   An adder, in steps:                             A taker, in steps:

   1. links its node behind the last one;          1. moves [last] on, if that is the first node;
   2. moves [last] on; others do it for an         2. moves [first] to the next node, whose item
      adder that has not.                             it has then;
                                                   3. cuts the old first node off.

   Without the cut a node in the old heap, though nobody refers to it any more, would keep all that
   came after it, and the collector would copy them there. *)

type 'a node = Last | Cut | Node of { mutable item : 'a; mutable next : 'a node [@atomic] }
type 'a t = { first : 'a node Atomic.t; last : 'a node Atomic.t; nil : 'a }

let create ~nil =
  let node = Node { item = nil; next = Last } in
  { first = Atomic.make_contended node; last = Atomic.make_contended node; nil }

let add b item =
  let node = Node { item; next = Last } in
  let rec link () =
    match Atomic.get b.last with
    | Node last as before -> (
        match Atomic.Loc.get [%atomic.loc last.next] with
        | Last ->
            (* Publishes the item; pairs with the read of [next] in [take]. *)
            if Atomic.Loc.compare_and_set [%atomic.loc last.next] Last node then
              ignore (Atomic.compare_and_set b.last before node : bool)
            else link ()
        | Node _ as next ->
            ignore (Atomic.compare_and_set b.last before next : bool);
            link ()
        | Cut -> link ())
    | Last | Cut -> assert false
  in
  link ()

let[@inline] is_empty b =
  match Atomic.get b.first with
  | Node first -> (
      match Atomic.Loc.get [%atomic.loc first.next] with Last -> true | Node _ | Cut -> false)
  | Last | Cut -> assert false

(* A taker that is too late may read the item, or [nil], but then does not move [first]. *)
let[@inline] take b =
  match Atomic.get b.first with
  | Node first as before -> (
      match Atomic.Loc.get [%atomic.loc first.next] with
      | Node second as next ->
          let item = second.item in
          if Atomic.get b.last == before then
            ignore (Atomic.compare_and_set b.last before next : bool);
          if Atomic.compare_and_set b.first before next then begin
            second.item <- b.nil;
            ignore (Atomic.Loc.exchange [%atomic.loc first.next] Cut : _ node);
            item
          end
          else b.nil
      | Last | Cut -> b.nil)
  | Last | Cut -> b.nil
