(* A segment of a hash table: the bindings whose hashes have the same highest bits.

   An operation by itself waits for nobody: it reads the bucket of its key, finds out what becomes of
   it, and puts that in its place if the bucket is still the same; otherwise it begins again. The
   user's functions are called before the replacement, which is one step. A batch closes the segments
   that it is about to change; an operation that meets a closed one joins the next batch.

   The version tells what goes on:

   Open v (even) --replace--> Replacing (v + 1) --its end, in the same step--> Open (v + 2)

   Open v --close--> Closed (lnot v) --reopen--> Open (v + 2)

   A reader takes what it has read if the version was even, and is still the same. So it has seen no
   replacement under way and nothing of a batch: a version is read before and after the bucket, and
   is written before and after each change.

   Buckets never change, they are replaced: a copy of the array is a snapshot. *)

type ('k, 'v) bucket =
  | Nothing
  | Binding of { hash : int; key : 'k; value : 'v; others : ('k, 'v) bucket }

(* [slots] and [length] are plain: whoever does not rely on the version looks at them for a hint only. *)
type ('k, 'v) t = {
  mutable version : int; [@atomic]
  mutable slots : ('k, 'v) bucket array;  (** 2{^ n}, chosen by the lowest bits of a hash *)
  mutable length : int;
  (* Nothing, as long as a line of the cache: what is written here lies on a line that no other segment has. *)
  room_1 : int;
  room_2 : int;
  room_3 : int;
  room_4 : int;
  room_5 : int;
  room_6 : int;
  room_7 : int;
  room_8 : int;
}

exception Closed
exception Full

let create () =
  {
    version = 0;
    slots = [| Nothing |];
    length = 0;
    room_1 = 0;
    room_2 = 0;
    room_3 = 0;
    room_4 = 0;
    room_5 = 0;
    room_6 = 0;
    room_7 = 0;
    room_8 = 0;
  }

let[@inline] version t = Atomic.Loc.get [%atomic.loc t.version]
let[@inline] step t before after = Atomic.Loc.compare_and_set [%atomic.loc t.version] before after
let[@inline] slot slots hash = hash land (Array.length slots - 1)
let is_full t = t.length >= Array.length t.slots

(* Waiting for a replacement, which is a few instructions: unless its domain is not run meanwhile. *)

let patience = 1000

let pause tries =
  if tries mod patience = 0 then Unix.sleepf 50e-6 (* seconds *) else Domain.cpu_relax ()

(* Reading *)

let rec bucket_after tries t hash =
  let before = version t in
  if before < 0 then raise_notrace Closed;
  let slots = t.slots in
  let bucket = Array.unsafe_get slots (slot slots hash) in
  (* Both pair with [replace], [close] and [reopen]. *)
  if before land 1 = 0 && version t = before then bucket
  else begin
    pause tries;
    bucket_after (tries + 1) t hash
  end

let[@inline] bucket t hash = bucket_after 1 t hash

(* Nothing, or a bucket that begins with the binding of [key]. *)
let rec find equal hash key bucket =
  match bucket with
  | Nothing -> Nothing
  | Binding b -> if b.hash = hash && equal b.key key then bucket else find equal hash key b.others

let value = function Nothing -> None | Binding b -> Some b.value

(* Replacing *)

type answer = Replaced | Has_changed | Is_replacing | Is_closed

let[@inline] put t slots i bucket growth =
  Array.unsafe_set slots i bucket;
  t.length <- t.length + growth

(* [after] for [before], the bucket of [hash], and [growth] more bindings. *)
let[@poll error] replace t hash before after growth =
  let v = version t in
  if v < 0 then Is_closed
  else if v land 1 = 1 || not (step t v (v + 1)) then Is_replacing
  else begin
    let slots = t.slots in
    let i = slot slots hash in
    let is_as_before = Array.unsafe_get slots i == before in
    if is_as_before then put t slots i after growth;
    ignore (Atomic.Loc.exchange [%atomic.loc t.version] (v + 2) : int);
    if is_as_before then Replaced else Has_changed
  end

(* The same in a batch, which has the segment to itself. *)
let[@poll error] replace_closed t hash (_ : _ bucket) after growth =
  put t t.slots (slot t.slots hash) after growth;
  Replaced

(* Operations *)

(* [bucket] with [behind] in place of [found], which is in it. *)
let rec splice found behind bucket =
  if bucket == found then behind
  else
    match bucket with
    | Nothing -> assert false (* it is in the bucket *)
    | Binding b -> Binding { b with others = splice found behind b.others }

(* What [action] does to [bucket], that of [hash], in which [found] begins with the binding of [key]. *)
let[@inline] change ~replace t hash key action bucket found =
  match found with
  | Nothing -> (
      match Operation.become action None with
      | None -> Replaced
      | Some value -> replace t hash bucket (Binding { hash; key; value; others = bucket }) 1)
  | Binding b -> (
      let binding = Some b.value in
      match Operation.become action binding with
      | None -> replace t hash bucket (splice found b.others bucket) (-1)
      | after when after == binding -> Replaced
      | Some value -> replace t hash bucket (splice found (Binding { b with value }) bucket) 0)

(* Where others change the same bucket all the time, a batch has it to itself. *)
let attempts = 8

let rec perform_after tries t equal hash key action =
  if tries > attempts then raise_notrace Closed;
  let bucket = bucket t hash in
  let found = find equal hash key bucket in
  if found == Nothing && is_full t && Operation.may_bind action then raise_notrace Full;
  match change ~replace t hash key action bucket found with
  | Replaced -> found
  | Is_closed -> raise_notrace Closed
  | Has_changed | Is_replacing ->
      Domain.cpu_relax ();
      perform_after (tries + 1) t equal hash key action

(* What [find] found before the operation. Raises [Closed], or [Full] where there must be more room. *)
let perform t equal hash key action = perform_after 1 t equal hash key action

(* Batches: one at a time *)

let try_to_close t =
  let v = version t in
  v < 0 || (v land 1 = 0 && step t v (lnot v))

let rec close_after tries t =
  if not (try_to_close t) then begin
    pause tries;
    close_after (tries + 1) t
  end

let close t = close_after 1 t

let[@poll error] reopen t =
  let v = version t in
  if v < 0 then ignore (Atomic.Loc.exchange [%atomic.loc t.version] (lnot v + 2) : int)

let rec spread slots = function
  | Nothing -> ()
  | Binding b ->
      let i = slot slots b.hash in
      slots.(i) <- Binding { b with others = slots.(i) };
      spread slots b.others

let grow_if_full t =
  if is_full t then begin
    let slots = Array.make (2 * Array.length t.slots) Nothing in
    Array.iter (spread slots) t.slots;
    t.slots <- slots
  end

let perform_closed t equal hash op =
  let key = Operation.key op and action = Operation.action op in
  if Operation.may_bind action then grow_if_full t;
  let bucket = t.slots.(slot t.slots hash) in
  match
    let found = find equal hash key bucket in
    Operation.settle op (value found);
    change ~replace:replace_closed t hash key action bucket found
  with
  | (_ : answer) -> ()
  | exception exn -> Operation.fail op exn

(* Looking, while it is closed or in a copy *)

let rec bindings acc = function
  | Nothing -> acc
  | Binding b -> bindings ((b.key, b.value) :: acc) b.others

let validate t ~hash_of ~equal =
  let wrong what = failwith ("Drover_batched: a hash table is broken: " ^ what) in
  let rec check i = function
    | Nothing -> ()
    | Binding b ->
        if hash_of b.key <> b.hash then wrong "hash";
        if slot t.slots b.hash <> i then wrong "place";
        if List.exists (fun (key, _) -> equal key b.key) (bindings [] b.others) then wrong "twice";
        check i b.others
  in
  Array.iteri check t.slots;
  let length = Array.fold_left (fun n b -> n + List.length (bindings [] b)) 0 t.slots in
  if length <> t.length then wrong "length"
