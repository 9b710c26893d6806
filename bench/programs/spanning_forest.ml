(* A spanning forest: edges enough to connect what is connected, and none too many. *)

type input = { nodes : int; from : int array; into : int array }

let last i = Array.length i.from - 1

let serial i =
  let forest = Forest.create i.nodes in
  for e = 0 to last i do
    Forest.add forest e i.from.(e) i.into.(e)
  done;
  Forest.edges forest

(* One forest that all workers connect; which edges do so depends on who comes first. *)
let connect forest i found lo hi =
  for e = lo to hi do
    if Shared_forest.connect forest i.from.(e) i.into.(e) then
      Dynarray.add_last found e
  done;
  found

let append found others =
  Dynarray.append found others;
  found

let drover i =
  let connect = connect (Shared_forest.create i.nodes) i in
  Drover.parallel_fold_range ~start:0 ~finish:(last i) ~make:Dynarray.create
    ~merge:append connect
  |> Dynarray.to_array

let domainslib pool i =
  let forest = Shared_forest.create i.nodes in
  let part lo hi = connect forest i (Dynarray.create ()) lo hi in
  Dynarray.to_array (By_hand.fold pool (last i + 1) part append)

(* As each edge connects something new, those that are enough are a forest. *)
let check ~expected edges =
  if Array.length edges = Array.length expected then Ok ()
  else Error "the forest does not span"

let input nodes =
  let from, into = Array.split (Graph.rmat_edges nodes) in
  { nodes; from; into }

let kernel =
  Program.kernel ~name:"spanning-forest"
    ~doc:"a spanning forest of an R-MAT graph"
    ~sizes:(1 lsl 10, 1 lsl 18, 1 lsl 19)
    ~about:(Printf.sprintf "R-MAT graph of %d nodes")
    ~input ~check
    ~show:(fun f -> Printf.sprintf "%d edges" (Array.length f))
    ~serial ~drover ~domainslib ()
