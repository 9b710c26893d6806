(* Key_table: what is known of some keys, for [Reduce_by]. *)

(* One entry after the other: the index of the first element, below some bits of the hash, in one number;
   and what its elements amount to. Records of their own would keep the collector busy. *)
type ('k, 'v) entries = { ids : int array; keys : 'k array; values : 'v array }

let first_bits = 32
let hash_bits = Sys.int_size - first_bits - 1
let[@inline] id ~hash first = (hash lsl first_bits) lor first
let[@inline] hash_of id = id lsr first_bits
let[@inline] first_of id = id land ((1 lsl first_bits) - 1)

(* The upper bits of a product, as what lies below depends on few bits of the hash. *)
let[@inline] hashed hash key =
  let h = hash key in
  (h lxor (h lsr 32) * 0x1e3779b97f4a7c15) lsr (Sys.int_size - hash_bits)

(* [compare] says 0 of what is the same, too, but takes a call for that. *)
let equal_values x y = x == y || compare x y = 0

(* Open tables. A slot has the number of an entry, from 1 on, below the bits of its hash, so that
   other entries are passed without a look at them. *)

type ('k, 'v) t = {
  equal : 'k -> 'k -> bool;
  combine : 'v -> 'v -> 'v;
  room : int; (* at first *)
  mutable count : int; (* of entries; the following three may have room for more *)
  mutable ids : int array;
  mutable keys : 'k array;
  mutable values : 'v array;
  mutable slots : int array; (* 0 if free; never more than half full *)
}

(* Twice as many as there may be entries, or more. *)
let slots_for count =
  let rec above size = if size >= 2 * count then size else above (2 * size) in
  Array.make (above 32) 0

let create ?(room = 0) ~equal combine =
  {
    equal;
    combine;
    room = Int.max 16 room;
    count = 0;
    ids = [||];
    keys = [||];
    values = [||];
    slots = slots_for room;
  }

let count t = t.count
let[@inline] key t number = Array.unsafe_get t.keys number
let[@inline] value t number = Array.unsafe_get t.values number

let entries { count; ids; keys; values; _ } : _ entries =
  if count = Array.length ids then { ids; keys; values }
  else
    {
      ids = Array.sub ids 0 count;
      keys = Array.sub keys 0 count;
      values = Array.sub values 0 count;
    }

let wide_entries { ids; keys; values; _ } : _ entries = { ids; keys; values }
let[@inline] number_of slot = first_of slot - 1
let[@inline] slot_of entry number = id ~hash:(hash_of entry) (number + 1)

(* The slot of [key], or where it belongs. *)
let rec slot t key hash at =
  match Array.unsafe_get t.slots at with
  | 0 -> at
  | taken ->
      if hash_of taken = hash && t.equal (Array.unsafe_get t.keys (number_of taken)) key then at
      else slot t key hash ((at + 1) land (Array.length t.slots - 1))

let[@inline] start t hash = hash land (Array.length t.slots - 1)

(* Four times as many slots: to move an entry costs as much as to add it. *)
let grow t =
  let mask = (4 * Array.length t.slots) - 1 in
  let slots = Array.make (mask + 1) 0 in
  let rec free at = if slots.(at) = 0 then at else free ((at + 1) land mask) in
  for number = 0 to t.count - 1 do
    let id = t.ids.(number) in
    slots.(free (hash_of id land mask)) <- slot_of id number
  done;
  t.slots <- slots

(* The elements of [a], and room for others, which is filled with [x]. *)
let widened a size x =
  let wide = Array.make size x in
  if Array.length a > 0 then Array.blit a 0 wide 0 (Array.length a);
  wide

let make_room t id key value =
  let size = Int.min (Array.length t.slots / 2) (Int.max t.room (2 * t.count)) in
  t.ids <- widened t.ids size id;
  t.keys <- widened t.keys size key;
  t.values <- widened t.values size value

let add_last t id key value =
  let number = t.count in
  if number = Array.length t.ids then make_room t id key value
  else begin
    t.ids.(number) <- id;
    t.keys.(number) <- key;
    t.values.(number) <- value
  end;
  t.count <- number + 1;
  number

(* Combines [value] with what there is of [key], and returns the entry's number. *)
let[@inline] add t id key value =
  let hash = hash_of id in
  let at = slot t key hash (start t hash) in
  match Array.unsafe_get t.slots at with
  | 0 ->
      let number = add_last t id key value in
      t.slots.(at) <- slot_of id number;
      if 2 * t.count >= Array.length t.slots then grow t;
      number
  | slot ->
      let number = number_of slot in
      t.values.(number) <- t.combine t.values.(number) value;
      number

let find t ~hash key =
  match Array.unsafe_get t.slots (slot t key hash (start t hash)) with
  | 0 -> None
  | slot -> Some (Array.unsafe_get t.values (number_of slot))
