(* Shadow memory.

   An access is one integer, its epoch and its site (see [Order], [Sites]); 0 is none. A place has three of them: its
   last write, and two reads since. So what shadows it is three integers in bytes, which the collector does not scan, and
   to note an access allocates nothing.

   1. A read races with the last write, if the reader does not know that. It takes the place of a read that is known;
      else of the latest.
   2. A write races with the last write and with both reads, if the writer does not know these. It takes the place of
      the write, and there is no read since.

   For forks and loops one read is enough to find a race at each place that has one: what is side by side with any
   reader is so with the first one that is not known to the later ones (Feng, Leiserson, SPAA 1997). With promises and
   locks there is the latest, too, and a third reader may be forgotten. That is noted always: where a strand reads a place
   again and again, as k-means does, it is what says so at once.

   Two accesses that hold a common lock do not race (Cheng et al., SPAA 1998). The order of locks alone says nothing of
   what is done without them, as it may be another. But who finds there what another has written, such as a flag, or a
   message in a queue, knows what that one had done before it released the lock. *)

type kind = Read | Write

(* Accesses, by three for each place *)

external get_64 : Bytes.t -> int -> int64 = "%caml_bytes_get64u"
external set_64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"

let[@inline] get slots j = Int64.to_int (get_64 slots (j lsl 3))
let[@inline] set slots j access = set_64 slots (j lsl 3) (Int64.of_int access)
let size_of places = 24 * places
let slots places = Bytes.make (size_of places) '\000'
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

(* What two have from who began both, they hold at once. *)
let exclude (a : Order.lock) (b : Order.lock) = a.number = b.number && a.since <> b.since

let[@inline never] unordered before kind earlier site =
  let { Order.way; locks } = context_of (earlier lsr Sites.bits)
  and here = !Order.current.context in
  let common = List.filter (fun lock -> List.exists (exclude lock) locks) here.locks in
  (if common <> [] then Races.add_locked else Races.add)
    { is_write = before = Write; site = earlier land mask; way }
    { is_write = kind = Write; site; way = here.way };
  if before = Write then
    List.iter (fun { Order.released; _ } -> Option.iter Order.learn !released) common

let[@inline] is_unknown access (s : Order.strand) = Unknown.mem (access lsr Sites.bits) s.unknown

let[@inline] check before kind access site s =
  if is_unknown access s then unordered before kind access site

(* Those of the place are at [j]. What was accessed in this epoch before is nothing new, mostly; only what is noted has
   a context. *)

let[@inline never] note_write site slots j (s : Order.strand) epoch =
  if epoch <> !Order.used then note epoch s.context;
  let last = get slots j and read = get slots (j + 1) in
  if last <> 0 then check Write Write last site s;
  if read <> 0 then begin
    check Read Write read site s;
    set slots (j + 1) 0;
    let other = get slots (j + 2) in
    if other <> 0 then begin
      check Read Write other site s;
      set slots (j + 2) 0
    end
  end;
  set slots j ((epoch lsl Sites.bits) lor site)

let[@inline never] note_read site slots j (s : Order.strand) epoch =
  if epoch <> !Order.used then note epoch s.context;
  let last = get slots j and read = get slots (j + 1) in
  if last <> 0 then check Write Read last site s;
  let here = (epoch lsl Sites.bits) lor site in
  if read = 0 || not (is_unknown read s) then set slots (j + 1) here else set slots (j + 2) here

let[@inline] is_of epoch slots j = get slots j lsr Sites.bits = epoch

let[@inline] access kind site slots j s =
  incr accesses;
  let epoch = !Order.now in
  match kind with
  | Read ->
      if not (is_of epoch slots (j + 1) || is_of epoch slots j || is_of epoch slots (j + 2)) then
        note_read site slots j s epoch
  | Write ->
      if not (is_of epoch slots j && get slots (j + 1) = 0) then note_write site slots j s epoch

(* Entries *)

let chunk_bits = 7
let chunk = 1 lsl chunk_bits

(* Most blocks have one field: then [labels] is of the label, and shared. *)
type entry = {
  mutable labels : int array; (* of the fields that have been accessed *)
  mutable fields : Bytes.t; (* accesses to each *)
  mutable chunks : Bytes.t array; (* of elements; each has up to [chunk] of them, or none yet *)
}

let no_entry = { labels = [||]; fields = Bytes.empty; chunks = [||] }
let entries = Blocks.create no_entry

(* A site of elements, and the array that it met last: loops meet the same again and again. *)

type window = { site : Sites.t; mutable array : Address.block; mutable chunks : Bytes.t array }

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

(* What nobody refers to is forgotten before there is twice as much, of blocks or of the bytes of their chunks: so a
   server that never joins does not grow. *)
let least_count = 200_000
let least_size = 48 lsl 20
let most_count = ref least_count
let most_size = ref least_size
let size = ref 0
let free = Dynarray.create ()

let let_go (e : entry) =
  let let_go_chunk c =
    size := !size - Bytes.length c;
    if Bytes.length c = size_of chunk then Dynarray.add_last free c
  in
  Array.iter let_go_chunk e.chunks

let find_entry b make =
  if Blocks.count entries > !most_count || !size > !most_size then begin
    forget_last ();
    Blocks.keep_live entries let_go;
    most_count := Int.max least_count (2 * Blocks.count entries);
    most_size := Int.max least_size (2 * !size)
  end;
  Blocks.find_or_add entries b make

let short = 16 (* elements; to keep a window would cost more than to find the entry *)
let new_entry () = { no_entry with chunks = [||] }
let no_chunk = Bytes.empty

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
  let places = Int.min chunk (length - (j lsl chunk_bits)) in
  let slots =
    if places < chunk || Dynarray.is_empty free then slots places
    else begin
      let used = Dynarray.pop_last free in
      Bytes.fill used 0 (size_of chunk) '\000';
      used
    end
  in
  size := !size + size_of places;
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
  e.fields <- Bytes.cat e.fields (slots 1);
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

type data = { slots : Bytes.t; owner : Address.block } [@@warning "-unused-field"]

let page_bits = 10 (* of the bytes of a page *)
let pages : (int, data) Hashtbl.t = Hashtbl.create 64
let last_page = ref (-1, Bytes.empty)

let[@inline never] find_page b page ~bits =
  let slots =
    match Hashtbl.find_opt pages page with
    | Some { slots; _ } -> slots
    | None ->
        let slots = slots (1 lsl (page_bits - bits)) in
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
  Blocks.clear entries let_go;
  most_count := least_count;
  most_size := least_size;
  if Hashtbl.length pages > 0 then Hashtbl.reset pages;
  last_page := (-1, Bytes.empty);
  Dynarray.clear epochs;
  Dynarray.clear contexts
