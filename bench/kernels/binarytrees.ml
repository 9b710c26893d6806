open Drover_harness
module Task = Domainslib.Task

type tree = Leaf | Node of tree * tree

let rec make depth =
  if depth = 0 then Node (Leaf, Leaf) else Node (make (depth - 1), make (depth - 1))

let rec count = function Leaf -> 0 | Node (l, r) -> 1 + count l + count r

(* The sum of the counts of [trees] trees of one depth: what the versions do in parallel. *)
type job = { trees : int; depth : int }

let least = 4

(* A large tree, one that lives on, and ever fewer trees of ever greater depth. *)
let jobs depth =
  let depths = List.init (((depth - least) / 2) + 1) (fun i -> least + (2 * i)) in
  { trees = 1; depth = depth + 1 }
  :: { trees = 1; depth }
  :: List.map (fun d -> { trees = 1 lsl (depth - d + least); depth = d }) depths

let tree_count depth _ = count (make depth)

let serial_job { trees; depth } =
  let sum = ref 0 in
  for i = 1 to trees do
    sum := !sum + tree_count depth i
  done;
  !sum

let serial depth = List.map serial_job (jobs depth)

let drover_job { trees; depth } () =
  Drover.parallel_reduce ~start:1 ~finish:trees ~init:0 ~combine:( + ) (tree_count depth)

let drover depth = Drover.all (List.map drover_job (jobs depth))

let domainslib_job pool { trees; depth } () =
  Task.parallel_for_reduce ~start:1 ~finish:trees ~body:(tree_count depth) pool ( + ) 0

let domainslib pool depth =
  List.map (fun job -> Task.async pool (domainslib_job pool job)) (jobs depth)
  |> List.map (Task.await pool)

let show counts = String.concat " + " (List.map string_of_int counts)

let kernel : Kernel.t =
  let prepare (p : Kernel.params) =
    let depth = Kernel.by_size p.size ~tiny:5 ~quick:16 ~full:18 in
    Ok
      (Kernel.Problem
         {
           about = Printf.sprintf "trees of depth %d to %d" least depth;
           input = (fun () -> depth);
           serial;
           versions = [ Kernel.drover drover; Kernel.domainslib domainslib ];
           check = Kernel.equal show;
           note = (fun counts -> Printf.sprintf "%d nodes" (List.fold_left ( + ) 0 counts));
           picture = None;
         })
  in
  { name = "binarytrees"; doc = "binary trees made and dropped: allocation"; prepare }
