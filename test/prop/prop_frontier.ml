(* Drover.Frontier against serial loops, and the programs on graphs of the manual against serial ones:
   on random graphs of several shapes, with few edges and many, on one domain and on more. *)

open Test_support
open QCheck2
module F = Drover.Frontier

type graph = { shape : string; n : int; rows : int array; targets : int array }

let of_neighbours shape neighbours =
  let n = Array.length neighbours in
  let rows = Array.make (n + 1) 0 in
  Array.iteri (fun v us -> rows.(v + 1) <- rows.(v) + List.length us) neighbours;
  { shape; n; rows; targets = Array.of_list (List.concat (Array.to_list neighbours)) }

(* Each edge is there in both directions, so that pulling may look at the edges that leave. *)
let of_edges shape n edges =
  let neighbours = Array.make n [] in
  let add u v = neighbours.(u) <- v :: neighbours.(u) in
  List.iter
    (fun (u, v) ->
      add u v;
      add v u)
    edges;
  of_neighbours shape neighbours

let sizes =
  Gen.oneof_weighted [ (3, Gen.(1 -- 40)); (2, Gen.(100 -- 4_000)); (1, Gen.return 20_000) ]

let in_pairs f n = List.init (Int.max 0 (n - 1)) f
let skewed n x = x * x / n

(* Self-loops and double edges among them, and vertices without edges. *)
let random shape place n =
  let open Gen in
  let vertex = map (place n) (int_bound (n - 1)) in
  1 -- 4 >>= fun degree ->
  map (of_edges shape n) (list_size (return (n * degree / 2)) (pair vertex vertex))

let graph =
  let open Gen in
  sizes >>= fun n ->
  oneof_weighted
    [
      (1, return (of_neighbours "empty" [||]));
      (1, return (of_edges "no edges" n []));
      (2, return (of_edges "star" n (in_pairs (fun i -> (0, i + 1)) n)));
      (1, return (of_edges "path" n (in_pairs (fun i -> (i, i + 1)) n)));
      (1, return (of_edges "loops" n (List.init n (fun v -> (v, v)))));
      (5, random "random" (fun _ x -> x) n);
      (3, random "skewed" skewed n);
    ]

let print g = Printf.sprintf "%s: %d vertices, %d edges" g.shape g.n (Array.length g.targets)

(* Functions of a graph, its source and its frontier, on a number of domains. *)
let case = Gen.(triple graph (list_size (0 -- 400) (int_bound 1_000_000)) (oneof_list [ 1; 2; 4 ]))

let print_case (g, chosen, domains) =
  Printf.sprintf "%s, %d chosen, %d domains" (print g) (List.length chosen) domains

(* All vertices, or some. *)
let chosen g list =
  if List.length list mod 3 = 0 then Array.init g.n Fun.id
  else if g.n = 0 then [||]
  else Array.of_list (List.sort_uniq Int.compare (List.map (fun x -> x mod g.n) list))

let property name law =
  Watchdog.property ~count:60 ~name ~print:print_case case (fun (g, list, domains) ->
      Drover.run ~domains (fun () -> law g (chosen g list)))

(* What each vertex was sent, latest first. *)
let pushed push g vertices =
  let sent = Array.make g.n [] in
  let apply v x =
    sent.(v) <- x :: sent.(v);
    List.compare_length_with sent.(v) 1 = 0
  in
  let next = push vertices apply in
  (sent, next)

let push_serially g vertices apply =
  let joined = ref [] in
  Array.iter
    (fun v ->
      for e = g.rows.(v) to g.rows.(v + 1) - 1 do
        let u = g.targets.(e) in
        if apply u e then joined := u :: !joined
      done)
    vertices;
  List.sort Int.compare !joined

let push g vertices apply =
  let scatter out _ lo hi =
    for e = lo to hi do
      F.send out g.targets.(e) e
    done
  in
  F.push (F.of_array g.n vertices) g.rows ~scatter ~apply

let sorted f = List.sort Int.compare (Array.to_list (F.to_array f))

(* Twice, so that frontiers of each kind are gone on from. *)
let pushes g vertices =
  let twice first =
    let sent, next = pushed (push g) g first in
    let expected_sent, expected = pushed (push_serially g) g first in
    (sent = expected_sent && sorted next = expected && F.cardinal next = List.length expected, next)
  in
  let is_right, next = twice vertices in
  is_right && fst (twice (F.to_array next))

(* The order, too, is the same everywhere. *)
let same_order g vertices =
  let order () = F.to_array (snd (pushed (push g) g vertices)) in
  let here = order () in
  List.for_all (fun domains -> Drover.run ~domains order = here) [ 1; 3 ]

let members f n = List.filter (F.mem f) (List.init n Fun.id)

let pulls g vertices =
  let f = F.of_array g.n vertices in
  let is_chosen = Array.make g.n false in
  Array.iter (fun v -> is_chosen.(v) <- true) vertices;
  let from mem lo hi =
    List.exists (fun e -> mem g.targets.(e)) (List.init (hi - lo + 1) (fun i -> lo + i))
  in
  let next = F.pull f g.rows ~gather:(fun _ lo hi -> from (F.mem f) lo hi) in
  let expected =
    List.filter
      (fun v -> from (fun u -> is_chosen.(u)) g.rows.(v) (g.rows.(v + 1) - 1))
      (List.init g.n Fun.id)
  in
  Array.to_list (F.to_array next) = expected
  && members next g.n = expected
  && F.cardinal next = List.length expected
  && members (F.of_array g.n vertices) g.n = Array.to_list vertices

(* In both forms. *)
let chooses g vertices =
  let all = Array.length g.targets in
  let degree edges v = edges + g.rows.(v + 1) - g.rows.(v) in
  let edges = Array.fold_left degree 0 vertices in
  let expected = Array.length vertices * 100 >= g.n && edges * 20 > all in
  let f = F.of_array g.n vertices in
  let same = F.pull f g.rows ~gather:(fun v _ _ -> F.mem f v) in
  F.should_pull f g.rows = expected && F.should_pull same g.rows = expected

module Queue = Set.Make (struct
  type t = int * int

  let compare = compare
end)

let distances_serially g source length =
  let distance = Array.make g.n max_int in
  let rec go queue =
    match Queue.min_elt_opt queue with
    | None -> distance
    | Some (d, v) ->
        let queue = ref (Queue.remove (d, v) queue) in
        if d < distance.(v) then begin
          distance.(v) <- d;
          for e = g.rows.(v) to g.rows.(v + 1) - 1 do
            queue := Queue.add (d + length e, g.targets.(e)) !queue
          done
        end;
        go !queue
  in
  go (Queue.singleton (0, source))

let bfs g _ =
  g.n = 0
  ||
  let expected = distances_serially g 0 (fun _ -> 1) in
  let found = Bfs.distances { rows = g.rows; targets = g.targets } 0 in
  Array.map (fun d -> if d = max_int then -1 else d) expected = found

let shortest_paths g chosen =
  g.n = 0
  ||
  let lengths = Array.mapi (fun e u -> ((e * 7) + u) mod 20) g.targets in
  let delta = 1 + (Array.length chosen mod 30) in
  distances_serially g 0 (fun e -> lengths.(e))
  = Shortest_paths.distances ~delta { rows = g.rows; targets = g.targets; lengths } 0

(* By the least vertex of each component. *)
let components g _ =
  let least = Array.make g.n (-1) in
  let rec visit name = function
    | [] -> ()
    | v :: rest when least.(v) >= 0 -> visit name rest
    | v :: rest ->
        least.(v) <- name;
        let first = g.rows.(v) in
        let next = List.init (g.rows.(v + 1) - first) (fun i -> g.targets.(first + i)) in
        visit name (List.rev_append next rest)
  in
  for v = 0 to g.n - 1 do
    visit v [ v ]
  done;
  let found = Components.components { rows = g.rows; targets = g.targets } in
  let least_of = Hashtbl.create 100 in
  Array.iteri
    (fun v name -> if not (Hashtbl.mem least_of name) then Hashtbl.add least_of name v)
    found;
  Array.map (Hashtbl.find least_of) found = least

let () =
  Properties.run
    [
      property "push" pushes;
      property "the order of a push" same_order;
      property "pull" pulls;
      property "should_pull" chooses;
      property "breadth-first search" bfs;
      property "shortest paths" shortest_paths;
      property "components" components;
    ]
