(* Stripes.

   1. A writer puts something into its cell.          1. A looker that has found all cells empty forgets
   2. It notes that, unless it is noted already.         that there is something.
                                                      2. It looks once more, and notes what it finds.

   Both take an atomic step first, and then read what the other writes: so one of the two sees the other. A note
   that is too many is cleared away by the next look. *)

type 'a t = { cells : 'a Atomic.t array; is_noted : bool Atomic.t; is_empty : 'a -> bool }

(* Two of 128 domains share a cell. *)
let number = 64 (* a power of two *)

let create ~is_empty empty =
  {
    cells = Array.init number (fun _ -> Atomic.make_contended empty);
    is_noted = Atomic.make_contended false;
    is_empty;
  }

let[@inline] mine s = Array.unsafe_get s.cells (Domain.self_index () land (number - 1))
let[@inline] is_noted s = Atomic.get s.is_noted
let[@inline] note s = if not (is_noted s) then Atomic.set s.is_noted true
let iter f s = Array.iter f s.cells
let fold f s acc = Array.fold_left (fun acc cell -> f (Atomic.get cell) acc) acc s.cells
let is_full s cell = not (s.is_empty (Atomic.get cell))
let look s = is_full s (mine s) || Array.exists (is_full s) s.cells

let look_again s =
  Atomic.set s.is_noted false;
  if look s then note s

let is_any s =
  is_noted s
  && (look s
     || begin
       Shared.insist look_again s;
       is_noted s
     end)
