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
   time does no harm: they come to the same. Unlike the serial program, what is taken refuses none of
   its neighbours: workers that write where others read wait for each other's caches. *)
let rec is_taken (g : Graph.t) state v =
  match Bytes.get state v with
  | '?' ->
      let answer = none_before g state v g.first.(v) g.first.(v + 1) in
      Bytes.set state v
        (if answer then taken else refused)
      [@drover.racy "all come to the same"];
      answer
  | known -> known = taken

(* Neighbours are in order: those before [e] are not taken. *)
and none_before g state v e stop =
  e = stop
  ||
  let u = g.targets.(e) in
  u > v
  || Bytes.get state u <> taken
     && (Bytes.get state u = refused || not (is_taken g state u))
     && none_before g state v (e + 1) stop

(* Each round is some 16 times as long as all before it, so that most neighbours have been decided on. *)
let parallel round g =
  let n = Graph.nodes g in
  let state = Bytes.make n unknown in
  let rec from start =
    if start < n then begin
      let next = Int.min n (16 * start) in
      round g state start (next - 1);
      from next
    end
  in
  Bytes.set state 0 taken;
  from 1;
  state

let between g state lo hi =
  for v = lo to hi do
    ignore (is_taken g state v : bool)
  done

let drover =
  parallel (fun g state start finish ->
      Drover.parallel_range ~start ~finish (between g state))

let domainslib pool =
  parallel (fun g state start finish ->
      Domainslib.Task.parallel_for pool ~start ~finish ~body:(fun v ->
          between g state v v))

let show state =
  let size =
    Bytes.fold_left (fun n c -> if c = taken then n + 1 else n) 0 state
  in
  Printf.sprintf "%d nodes" size

let kernel =
  Program.kernel ~name:"independent-set"
    ~doc:"a maximal independent set of an R-MAT graph"
    ~sizes:(1 lsl 10, 1 lsl 20, 1 lsl 21)
    ~about:(Printf.sprintf "R-MAT graph of %d nodes")
    ~input:Graph.rmat ~show ~serial ~drover ~domainslib ()
