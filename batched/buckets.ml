(* A hash table for one user at a time. The bucket of a key is given by the highest bits of its
   hash: so when the table grows, the bindings of a bucket go to neighbours, and a region of the
   table is one of the old table too.

   Buckets never change, they are replaced: what raises meanwhile has changed nothing, and a copy of
   the array is a snapshot. *)

type ('k, 'v) bucket =
  | Nothing
  | Binding of { hash : int; key : 'k; value : 'v; others : ('k, 'v) bucket }

type ('k, 'v) t = {
  hash : 'k -> int;
  equal : 'k -> 'k -> bool;
  mutable slots : ('k, 'v) bucket array;  (** 2{^ bits} *)
  mutable bits : int;
}

let hash_bits = 60
let least_bits = 4
let create hash equal = { hash; equal; bits = least_bits; slots = Array.make 16 Nothing }

(* Spreads the bits of the user's hash over the highest ones. *)
let hash_of t key =
  let h = t.hash key * 0x1E3779B97F4A7C15 in
  let h = h lxor (h lsr 32) * 0x1E3779B97F4A7C15 in
  h land ((1 lsl hash_bits) - 1)

let slot t hash = hash lsr (hash_bits - t.bits)

(* [op] on a bucket; [grown] counts. *)
let rec change t op hash grown bucket =
  match bucket with
  | Nothing -> (
      match Op.step op None with
      | None -> Nothing
      | Some value ->
          incr grown;
          Binding { hash; key = Op.key op; value; others = Nothing })
  | Binding b when b.hash = hash && t.equal b.key (Op.key op) -> (
      let before = Some b.value in
      match Op.step op before with
      | None ->
          decr grown;
          b.others
      | Some value as after -> if after == before then bucket else Binding { b with value })
  | Binding b ->
      let others = change t op hash grown b.others in
      if others == b.others then bucket else Binding { b with others }

let perform t op hash grown =
  let i = slot t hash and before = !grown in
  match change t op hash grown t.slots.(i) with
  | bucket -> t.slots.(i) <- bucket
  | exception exn ->
      grown := before;
      Op.fail op exn

(* Moves a bucket of the old table to the new one. *)
let rec spread bits slots = function
  | Nothing -> ()
  | Binding b ->
      let i = b.hash lsr (hash_bits - bits) in
      slots.(i) <- Binding { b with others = slots.(i) };
      spread bits slots b.others

(* Makes room for [n] bindings. *)
let reserve t n =
  if n > Array.length t.slots then begin
    let rec enough bits = if 1 lsl bits >= n then bits else enough (bits + 1) in
    let bits = enough t.bits in
    let slots = Array.make (1 lsl bits) Nothing in
    Drover.Array.iter (spread bits slots) t.slots;
    t.slots <- slots;
    t.bits <- bits
  end

let rec bindings acc = function
  | Nothing -> acc
  | Binding b -> bindings ((b.key, b.value) :: acc) b.others

let length t = Drover.Array.fold (fun b -> List.length (bindings [] b)) ( + ) 0 t.slots

let validate t =
  let wrong what = failwith ("Drover_batched: a hash table is broken: " ^ what) in
  let rec check i = function
    | Nothing -> ()
    | Binding b ->
        if hash_of t b.key <> b.hash then wrong "hash";
        if slot t b.hash <> i then wrong "place";
        if List.exists (fun (key, _) -> t.equal key b.key) (bindings [] b.others) then wrong "twice";
        check i b.others
  in
  if Array.length t.slots <> 1 lsl t.bits then wrong "size";
  Array.iteri check t.slots
