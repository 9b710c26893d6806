(* Ordered maps, and the trees that they are made of, against Stdlib.Map. *)

open Map_laws
module Tree_map = Drover_batched.Tree_map

module Laws = Make (struct
  include Drover_batched.Ordered_map

  type nonrec t = (int, int) t

  let name = "ordered map"

  let create ~tick () =
    create (fun x y ->
        tick x;
        tick y;
        Int.compare x y)

  let bindings t = Array.to_list (Drover_batched.Tree_map.to_array (snapshot t))
end)

(* Two sets of random bindings, as models and as trees. *)
let random_map rng size =
  let bindings =
    Array.init size (fun _ -> (Random.State.int rng (2 * (size + 1)), Random.State.int rng 1000))
  in
  (Model.of_seq (Array.to_seq bindings), Tree_map.of_array Int.compare bindings)

let equals model tree =
  Tree_map.validate tree;
  Array.to_list (Tree_map.to_array tree) = Model.bindings model

let pairs b =
  let rng = Random.State.make [| b.seed |] in
  let size n = List.fold_left ( + ) 0 (List.filteri (fun i _ -> i mod 2 = n) b.sizes) in
  (random_map rng (size 0), random_map rng (size 1))

let law name holds = law ~count:15 ("trees: " ^ name) (fun b -> holds b (pairs b))

(* Not commutative. *)
let mix k x y = (3 * k) + (2 * x) + y

let combining =
  [
    law "of_array" (fun _ ((model, tree), _) -> equals model tree);
    law "union" (fun _ ((a, ta), (b, tb)) ->
        equals (Model.union (fun k x y -> Some (mix k x y)) a b) (Tree_map.union mix ta tb));
    law "inter" (fun _ ((a, ta), (b, tb)) ->
        let both k x y = match (x, y) with Some x, Some y -> Some (mix k x y) | _ -> None in
        equals (Model.merge both a b) (Tree_map.inter mix ta tb));
    law "diff" (fun _ ((a, ta), (b, tb)) ->
        equals (Model.filter (fun k _ -> not (Model.mem k b)) a) (Tree_map.diff ta tb));
    law "map, filter, filter_map" (fun _ ((a, ta), _) ->
        let odd _ v = v land 1 = 1 in
        equals (Model.mapi ( - ) a) (Tree_map.map ( - ) ta)
        && equals (Model.filter odd a) (Tree_map.filter odd ta)
        && equals
             (Model.filter_map (fun k v -> if odd k v then Some (k + v) else None) a)
             (Tree_map.filter_map (fun k v -> if odd k v then Some (k + v) else None) ta));
    law "map_reduce, fold, iter, to_seq" (fun _ ((a, ta), _) ->
        let visited = ref [] in
        Tree_map.iter (fun k v -> visited := (k, v) :: !visited) ta;
        Tree_map.map_reduce (fun k v -> [ (k, v) ]) ( @ ) [] ta = Model.bindings a
        && Tree_map.fold (fun k v l -> (k, v) :: l) ta [] = List.rev (Model.bindings a)
        && List.rev !visited = Model.bindings a
        && List.of_seq (Tree_map.to_seq ta) = Model.bindings a);
  ]

let ordered =
  [
    law "split" (fun b ((a, ta), _) ->
        let k = b.seed mod (2 * (Model.cardinal a + 1)) in
        let before, binding, behind = Model.split k a in
        let tbefore, tbinding, tbehind = Tree_map.split ta k in
        equals before tbefore && binding = tbinding && equals behind tbehind);
    law "range" (fun b ((a, ta), _) ->
        let lo = b.seed mod (2 * (Model.cardinal a + 1)) in
        let hi = lo - 3 + (b.seed mod 100) in
        equals (Model.filter (fun k _ -> lo <= k && k <= hi) a) (Tree_map.range ta ~lo ~hi));
    law "first, last, nth, rank" (fun b ((a, ta), _) ->
        let k = b.seed mod (2 * (Model.cardinal a + 1)) in
        Tree_map.first ta = Model.min_binding_opt a
        && Tree_map.last ta = Model.max_binding_opt a
        && Tree_map.rank ta k = Model.cardinal (Model.filter (fun key _ -> key < k) a)
        && Tree_map.nth ta k = List.nth_opt (Model.bindings a) k);
    law "insert, update, delete" (fun b ((a, ta), _) ->
        let k = b.seed mod (2 * (Model.cardinal a + 1)) in
        equals (Model.add k 5 a) (Tree_map.insert ta k 5)
        && equals (Model.remove k a) (Tree_map.delete ta k)
        && equals (Model.update k (toggle 6) a) (Tree_map.update ta k (toggle 6))
        && Tree_map.find ta k = Model.find_opt k a);
  ]

let () = Test_support.Properties.run (Laws.tests @ combining @ ordered)
