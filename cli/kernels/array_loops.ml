open Drover_harness
module Task = Domainslib.Task

let by_size (p : Kernel.params) =
  Kernel.by_size p.size ~tiny:20_000 ~quick:1_000_000 ~full:10_000_000

let kernel name doc input serial versions show : Kernel.t =
  let prepare (p : Kernel.params) =
    let n = by_size p in
    let data = input n in
    Ok
      (Kernel.Problem
         {
           about = Printf.sprintf "%d elements" n;
           input = (fun () -> data);
           serial;
           versions;
           check = Kernel.equal show;
           note = show;
           picture = None;
         })
  in
  { name; doc; prepare }

(* Whole numbers: any order of additions gives the same sum. *)
let floats n = Array.init n (fun i -> Float.of_int (i land 1023))

let ints n =
  let rng = Random.State.make [| n |] in
  Array.init n (fun _ -> Random.State.bits rng)

let last a = Printf.sprintf "%d elements, the last is %d" (Array.length a) a.(Array.length a - 1)

let sum =
  let serial (a : float array) =
    let s = ref 0. in
    for i = 0 to Array.length a - 1 do
      s := !s +. a.(i)
    done;
    !s
  in
  let domainslib pool (a : float array) =
    Task.parallel_for_reduce ~start:0
      ~finish:(Array.length a - 1)
      ~body:(Array.get a) pool ( +. ) 0.
  in
  kernel "sum" "the sum of floats" floats serial
    [ Kernel.drover Drover.Array.sum_float; Kernel.domainslib domainslib ]
    (Printf.sprintf "sum %g")

let scan =
  let serial (a : int array) =
    let r = Array.make (Array.length a) 0 and acc = ref 0 in
    for i = 0 to Array.length a - 1 do
      acc := !acc + a.(i);
      r.(i) <- !acc
    done;
    r
  in
  kernel "scan" "prefix sums of ints" ints serial
    [
      Kernel.drover Drover.Array.scan_ints;
      Kernel.drover ~name:"drover, any operator" (Drover.Array.scan ( + ) 0);
      Kernel.domainslib (fun pool a -> Task.parallel_scan pool ( + ) a);
    ]
    last

let is_even x = x land 1 = 0

let filter =
  let serial a = Array.of_list (List.filter is_even (Array.to_list a)) in
  let domainslib pool a =
    let kept lo hi = serial (Array.sub a lo (hi - lo + 1)) in
    Array.concat (Chunks.map pool (Array.length a) kept)
  in
  kernel "filter" "the even ones of random ints" ints serial
    [ Kernel.drover (Drover.Array.filter is_even); Kernel.domainslib domainslib ]
    last

let bins = 256
let bin x = x land (bins - 1)

let histogram =
  let count (a : int array) lo hi =
    let counts = Array.make bins 0 in
    for i = lo to hi do
      let b = bin a.(i) in
      counts.(b) <- counts.(b) + 1
    done;
    counts
  in
  let domainslib pool a =
    List.fold_left (Array.map2 ( + )) (Array.make bins 0)
      (Chunks.map pool (Array.length a) (count a))
  in
  kernel "histogram" "counts of random ints in 256 bins" ints
    (fun a -> count a 0 (Array.length a - 1))
    [ Kernel.drover (Drover.Array.histogram ~bins bin); Kernel.domainslib domainslib ]
    last

let kernels = [ sum; scan; filter; histogram ]
