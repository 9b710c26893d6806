(* A maximal independent set: no two of its nodes are neighbours, and no node can be added. It is the
   one that results when the nodes come in order, and each is taken unless a neighbour was. *)

let unknown = '?'
let taken = 'y'
let refused = 'n'

let serial g =
  let state = Bytes.make (Graph.nodes g) unknown in
  for v = 0 to Graph.nodes g - 1 do
    if Bytes.get state v = unknown then begin
      Bytes.set state v taken;
      Graph.iter (fun u -> Bytes.set state u refused) g v
    end
  done;
  state

(* A node is taken iff none of the earlier neighbours is, each of which is decided first. Chains of
   such neighbours are short, because the order is random. That two workers decide on one node at a
   time does no harm: they come to the same. *)
let rec is_taken (g : Graph.t) state v =
  match Bytes.get state v with
  | '?' ->
      let rec free e =
        let u = g.targets.(e) in
        e = g.first.(v + 1) || u > v || ((not (is_taken g state u)) && free (e + 1))
      in
      let answer = free g.first.(v) in
      Bytes.set state v (if answer then taken else refused);
      answer
  | known -> known = taken

let parallel for_all g =
  let state = Bytes.make (Graph.nodes g) unknown in
  for_all (Graph.nodes g - 1) (fun v -> ignore (is_taken g state v : bool));
  state

let drover = parallel (fun finish body -> Drover.parallel_for ~start:0 ~finish body)

let domainslib pool =
  parallel (fun finish body -> Domainslib.Task.parallel_for pool ~start:0 ~finish ~body)

let show state =
  let size = Bytes.fold_left (fun n c -> if c = taken then n + 1 else n) 0 state in
  Printf.sprintf "%d nodes" size

let kernel =
  Program.kernel ~name:"independent-set" ~doc:"a maximal independent set of an R-MAT graph"
    ~sizes:(1 lsl 10, 1 lsl 17, 1 lsl 19)
    ~about:(Printf.sprintf "R-MAT graph of %d nodes")
    ~input:Graph.rmat ~show ~serial ~drover ~domainslib ()
