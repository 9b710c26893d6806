(* Shadow memory.

   An access is one integer, its epoch and its site (see [Order], [Sites]); 0 is none. A place has three of them: its
   last write, and two reads since. So what shadows it is three integers in an array, and to note an access allocates
   nothing.

   1. A read races with the last write, if the reader does not know that. It takes the place of a read that is known;
      else of the latest.
   2. A write races with the last write and with both reads, if the writer does not know these. It takes the place of
      the write, and there is no read since.

   For forks and loops two reads are enough to find a race at each place that has one: what is side by side with any
   reader is so with the first one that is not known to the later ones, or with the latest (Feng, Leiserson, SPAA 1997).
   With promises a third reader may be forgotten.

   Two accesses that hold a common lock do not race (Cheng et al., SPAA 1998). *)

type kind = Read | Write

let mask = (1 lsl Sites.bits) - 1
let accesses = ref 0

(* What a report says of an epoch is noted at its first access, if it is another than before. *)

let epochs = Dynarray.create ()
let contexts = Dynarray.create ()

let[@inline never] note epoch (context : Order.context) =
  Order.used := epoch;
  if Dynarray.is_empty contexts || Dynarray.get_last contexts != context then begin
    Dynarray.add_last epochs epoch;
    Dynarray.add_last contexts context
  end

let context_of epoch =
  let rec search low high =
    if low = high then Dynarray.get contexts low
    else
      let middle = (low + high + 1) / 2 in
      if Dynarray.get epochs middle <= epoch then search middle high else search low (middle - 1)
  in
  search 0 (Dynarray.length epochs - 1)

(* Two accesses *)

let[@inline never] unordered before kind earlier site =
  let { Order.way; locks } = context_of (earlier lsr Sites.bits)
  and here = !Order.current.context in
  if not (List.exists (fun lock -> List.mem lock here.locks) locks) then
    Races.add
      { is_write = before = Write; site = earlier land mask; way }
      { is_write = kind = Write; site; way = here.way }

let[@inline] is_unknown access (s : Order.strand) = Unknown.mem (access lsr Sites.bits) s.unknown

let[@inline] check before kind access site s =
  if is_unknown access s then unordered before kind access site

(* Those of the place are at [j]. What was accessed in this epoch before is nothing new, mostly; only what is noted has
   a context. *)

let[@inline never] note_write site slots j (s : Order.strand) epoch =
  if epoch <> !Order.used then note epoch s.context;
  let last = Array.unsafe_get slots j and read = Array.unsafe_get slots (j + 1) in
  if last <> 0 then check Write Write last site s;
  if read <> 0 then begin
    check Read Write read site s;
    Array.unsafe_set slots (j + 1) 0;
    let other = Array.unsafe_get slots (j + 2) in
    if other <> 0 then begin
      check Read Write other site s;
      Array.unsafe_set slots (j + 2) 0
    end
  end;
  Array.unsafe_set slots j ((epoch lsl Sites.bits) lor site)

let[@inline never] note_read site slots j (s : Order.strand) epoch =
  if epoch <> !Order.used then note epoch s.context;
  let last = Array.unsafe_get slots j and read = Array.unsafe_get slots (j + 1) in
  if last <> 0 then check Write Read last site s;
  let here = (epoch lsl Sites.bits) lor site in
  if read = 0 || not (is_unknown read s) then Array.unsafe_set slots (j + 1) here
  else Array.unsafe_set slots (j + 2) here

let[@inline] is_of epoch slots j = Array.unsafe_get slots j lsr Sites.bits = epoch

let[@inline] access kind site slots j s =
  incr accesses;
  let epoch = !Order.now in
  match kind with
  | Read ->
      if not (is_of epoch slots (j + 1) || is_of epoch slots j || is_of epoch slots (j + 2)) then
        note_read site slots j s epoch
  | Write ->
      if not (is_of epoch slots j && Array.unsafe_get slots (j + 1) = 0) then
        note_write site slots j s epoch

(* Entries *)

let chunk_bits = 7
let chunk = 1 lsl chunk_bits

(* Most blocks have one field: then [labels] is of the label, and shared. *)
type entry = {
  mutable labels : int array; (* of the fields that have been accessed *)
  mutable fields : int array; (* three for each *)
  mutable chunks : int array array; (* of elements; each has up to [chunk] of them, or none yet *)
}

let no_entry = { labels = [||]; fields = [||]; chunks = [||] }
let entries = Blocks.create no_entry

(* What nobody refers to is forgotten before there are twice as many: so a server that never joins does not grow. *)
let least_limit = 200_000
let limit = ref least_limit

(* A site of elements, and the array that it met last: loops meet the same again and again. *)

type window = { site : Sites.t; mutable array : Address.block; mutable chunks : int array array }

let windows = Dynarray.create ()

let window site =
  while Dynarray.length windows <= site do
    Dynarray.add_last windows
      { site = Dynarray.length windows; array = Address.none; chunks = [||] }
  done;
  Dynarray.get windows site

let opened = Dynarray.create ()

let forget_last () =
  let close w =
    w.array <- Address.none;
    w.chunks <- [||]
  in
  Dynarray.iter close opened;
  Dynarray.clear opened

let find_entry b make =
  if Blocks.count entries > !limit then begin
    forget_last ();
    Blocks.keep_live entries;
    limit := Int.max least_limit (2 * Blocks.count entries)
  end;
  Blocks.find_or_add entries b make

let short = 16 (* elements; to keep a window would cost more than to find the entry *)
let new_entry () = { no_entry with chunks = [||] }
let no_chunk : int array = [||]

let[@inline never] find_chunks w b ~length =
  let e = find_entry b new_entry in
  if Array.length e.chunks = 0 then
    e.chunks <- Array.make (((length - 1) lsr chunk_bits) + 1) no_chunk;
  if length >= short then begin
    if w.array == Address.none then Dynarray.add_last opened w;
    w.array <- b;
    w.chunks <- e.chunks
  end;
  e.chunks

let[@inline never] new_chunk chunks ~length j =
  let slots = Array.make (3 * Int.min chunk (length - (j lsl chunk_bits))) 0 in
  chunks.(j) <- slots;
  slots

(* Elements *)

let[@inline] element kind w b ~length i s =
  let chunks = if w.array == b then w.chunks else find_chunks w b ~length in
  let j = i lsr chunk_bits in
  let slots = Array.unsafe_get chunks j in
  let slots = if slots != no_chunk then slots else new_chunk chunks ~length j in
  access kind w.site slots (3 * (i land (chunk - 1))) s

let read_element w b ~length i =
  let s = !Order.current in
  if s != Order.nobody && i >= 0 && i < length then element Read w b ~length i s

let write_element w b ~length i =
  let s = !Order.current in
  if s != Order.nobody && i >= 0 && i < length then element Write w b ~length i s

let elements kind w b ~length first n =
  let s = !Order.current in
  if s != Order.nobody && first >= 0 && n > 0 && first + n <= length then
    for i = first to first + n - 1 do
      element kind w b ~length i s
    done

(* Fields *)

type label = {
  number : int;
  alone : int array;
  mutable sizes : int; (* a set of bits: see [bit_of] *)
}

let labels : (string, label) Hashtbl.t = Hashtbl.create 64

let label name =
  match Hashtbl.find_opt labels name with
  | Some l -> l
  | None ->
      let number = Hashtbl.length labels in
      let l = { number; alone = [| number |]; sizes = 0 } in
      Hashtbl.add labels name l;
      l

(* What it is of is always mutable. *)
let always l =
  l.sizes <- -1;
  l

let whole = always (label "")
let variable name = always (label ("val " ^ name))

(* Large ones share a bit. *)
let[@inline] bit_of fields = 1 lsl Int.min fields (Sys.int_size - 1)
let note_mutable l ~fields = l.sizes <- l.sizes lor bit_of fields

(* That a field is mutable whose type is of a library is seen at its first write. *)
let[@inline] counts kind l b =
  match kind with
  | Read -> l.sizes = -1 || l.sizes land bit_of (Address.size b) <> 0
  | Write ->
      if l.sizes <> -1 then note_mutable l ~fields:(Address.size b);
      true

let add_field e l =
  let n = Array.length e.labels in
  e.fields <- Array.append e.fields [| 0; 0; 0 |];
  e.labels <- (if n = 0 then l.alone else Array.append e.labels l.alone)

let rec index e l i =
  if i = Array.length e.labels then add_field e l;
  if Array.unsafe_get e.labels i = l.number then i else index e l (i + 1)

let field kind site l b =
  let s = !Order.current in
  if s != Order.nobody && counts kind l b then begin
    let e = find_entry b new_entry in
    let i = if e.labels == l.alone then 0 else index e l 0 in
    access kind site e.fields (3 * i) s
  end

(* The data of bigarrays, by its address: the bigarray is kept, so no other gets that. *)

type data = { slots : int array; owner : Address.block } [@@warning "-unused-field"]

let page_bits = 10 (* of the bytes of a page *)
let pages : (int, data) Hashtbl.t = Hashtbl.create 64
let last_page = ref (-1, [||])

let[@inline never] find_page b page ~bits =
  let slots =
    match Hashtbl.find_opt pages page with
    | Some { slots; _ } -> slots
    | None ->
        let slots = Array.make (3 lsl (page_bits - bits)) 0 in
        Hashtbl.add pages page { slots; owner = b };
        slots
  in
  last_page := (page, slots);
  slots

let data kind site b ~bits i =
  let s = !Order.current in
  if s != Order.nobody then begin
    let address = Address.of_data b + (i lsl bits) in
    let page = address lsr page_bits in
    let last, slots = !last_page in
    let slots = if last = page then slots else find_page b page ~bits in
    access kind site slots (3 * ((address land ((1 lsl page_bits) - 1)) lsr bits)) s
  end

let forget () =
  forget_last ();
  Blocks.clear entries;
  limit := least_limit;
  if Hashtbl.length pages > 0 then Hashtbl.reset pages;
  last_page := (-1, [||]);
  Dynarray.clear epochs;
  Dynarray.clear contexts
