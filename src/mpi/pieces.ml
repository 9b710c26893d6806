(* Pieces: which items a rank gets next.

   Guided self-scheduling (Polychronopoulos and Kuck, 1987) at half the size, because a rank has two
   pieces at a time, one of which it computes while the other travels: a rank with the share [s] of
   all domains gets [s / 2] of the items that are left, and one at least. So pieces shrink, and n
   items on p ranks of one domain make about 2 p ln (n / 2 p) of them. *)

type t = {
  order : int array; (* the items to be done *)
  mutable next : int; (* in [order] *)
  mutable back : int list; (* that were out, and are to be done again *)
}

let create order = { order; next = 0; back = [] }
let left t = Array.length t.order - t.next + List.length t.back
let has_back t = t.back <> []

(* How many pieces a rank has at a time: towards the end, no item waits for a long one. *)
let most_ahead = 2
let ahead t ~ranks = if left t > 2 * ranks then most_ahead else 1

(* Items to be done again go alone: they may be what has ended a rank. *)
let take t ~share =
  match t.back with
  | item :: back ->
      t.back <- back;
      [| item |]
  | [] ->
      let left = left t in
      let wanted = int_of_float (Float.ceil (share /. 2. *. float left)) in
      let piece = Array.sub t.order t.next (Int.min left (Int.max 1 wanted)) in
      t.next <- t.next + Array.length piece;
      piece

let give_back t items = t.back <- List.merge Int.compare (List.sort Int.compare items) t.back
