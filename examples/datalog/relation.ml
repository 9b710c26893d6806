(* A relation: a set of tuples of numbers, in as many orders as the rules ask for.

   An index has the columns in an order of its own, so that the tuples with the same first columns
   are neighbours. It is a batched ordered map: tasks that find tuples put them in at the same time,
   while others read the map as it was when the round began. *)

module Ordered_map = Drover_batched.Ordered_map
module Tree_map = Drover_batched.Tree_map
module Vector = Drover_batched.Vector
module Op = Drover_batched.Op

type tuple = int array
type snapshot = (tuple, unit) Tree_map.t

type index = {
  columns : int array;
  map : (tuple, unit) Ordered_map.t;
  mutable old : snapshot;  (** without the tuples of the last round *)
  mutable current : snapshot;  (** with them *)
}

type t = {
  name : string;
  arity : int;
  primary : index;  (** has the columns as they are *)
  mutable others : index list;
  mutable fresh : tuple Vector.t;  (** what this round has found *)
  mutable delta : tuple array;  (** what the last round has found *)
}

let rec compare_from (a : tuple) (b : tuple) i =
  if i = Array.length a then 0
  else
    let c = Int.compare a.(i) b.(i) in
    if c <> 0 then c else compare_from a b (i + 1)

let compare_tuples a b = compare_from a b 0

let index_on columns =
  let map = Ordered_map.create compare_tuples in
  let empty = Ordered_map.snapshot map in
  { columns; map; old = empty; current = empty }

let create name arity =
  let primary = index_on (Array.init arity Fun.id) in
  {
    name;
    arity;
    primary;
    others = [];
    fresh = Vector.create ();
    delta = [||];
  }

(* The index with the columns in that order; to be asked for before there are tuples. *)
let index r columns =
  match
    List.find_opt
      (fun index -> index.columns = columns)
      (r.primary :: r.others)
  with
  | Some index -> index
  | None ->
      let index = index_on columns in
      r.others <- index :: r.others;
      index

(* Puts tuples in, as one batch; which of them are new, the relation notes. From any task. *)
let add r tuples =
  let ops = Array.map (fun tuple -> Op.add tuple ()) tuples in
  Ordered_map.apply r.primary.map ops;
  let news = Drover.Array.filter (fun op -> Op.result op = None) ops in
  ignore (Vector.append_all r.fresh (Array.map Op.key news) : int)

(* Ends a round: what it has found is the delta now, and is found in every index. *)
let turn r =
  r.delta <- Vector.to_array r.fresh;
  r.fresh <- Vector.create ();
  let take_in index =
    let key tuple =
      (Array.map (fun column -> tuple.(column)) index.columns, ())
    in
    Ordered_map.insert_all index.map (Drover.Array.map key r.delta)
  in
  Drover.List.iter take_in r.others;
  let advance index =
    index.old <- index.current;
    index.current <- Ordered_map.snapshot index.map
  in
  List.iter advance (r.primary :: r.others)

(* [f] on the tuples of a snapshot that start with [prefix]. *)
let iter_prefix snapshot ~arity prefix f =
  let bound last =
    Array.append prefix (Array.make (arity - Array.length prefix) last)
  in
  let tuples =
    if prefix = [||] then snapshot
    else Tree_map.range snapshot ~lo:(bound min_int) ~hi:(bound max_int)
  in
  Tree_map.iter (fun tuple () -> f tuple) tuples

let tuples r =
  Array.map fst (Tree_map.to_array (Ordered_map.snapshot r.primary.map))
