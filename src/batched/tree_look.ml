(* Reading trees, one binding after the other. *)

open Tree

let rec first = function
  | Empty -> None
  | Node n -> if n.left == Empty then Some (n.key, n.value) else first n.left

let rec last = function
  | Empty -> None
  | Node n -> if n.right == Empty then Some (n.key, n.value) else last n.right

let rec nth tree i =
  match tree with
  | Empty -> None
  | Node n ->
      let l = size n.left in
      if i < l then nth n.left i
      else if i = l then Some (n.key, n.value)
      else nth n.right (i - l - 1)

(* How many keys are before [key]. *)
let rec rank cmp key = function
  | Empty -> 0
  | Node n ->
      if cmp key n.key <= 0 then rank cmp key n.left else size n.left + 1 + rank cmp key n.right

let rec iter f = function
  | Empty -> ()
  | Node n ->
      iter f n.left;
      f n.key n.value;
      iter f n.right

let rec fold f tree acc =
  match tree with Empty -> acc | Node n -> fold f n.right (f n.key n.value (fold f n.left acc))

let rec prepend tree rest () =
  match tree with
  | Empty -> rest ()
  | Node n -> prepend n.left (fun () -> Seq.Cons ((n.key, n.value), prepend n.right rest)) ()

let to_seq tree = prepend tree Seq.empty

(* Raises if [tree] is not a search tree, or not balanced. *)
let validate cmp tree =
  let wrong what = failwith ("Drover_batched: a tree is broken: " ^ what) in
  let rec check tree =
    match tree with
    | Empty -> ()
    | Node n ->
        if size tree <> size n.left + size n.right + 1 then wrong "size";
        if not (balanced (weight n.left) (weight n.right)) then wrong "balance";
        check n.left;
        check n.right
  in
  check tree;
  let compare_keys previous key _ =
    (match previous with Some p when cmp p key >= 0 -> wrong "order" | _ -> ());
    Some key
  in
  ignore (fold (fun key value previous -> compare_keys previous key value) tree None)
