open Drover_harness
module Task = Domainslib.Task

let by_size (p : Kernel.params) =
  Kernel.by_size p.size ~tiny:20_000 ~quick:1_000_000 ~full:10_000_000

(* [fresh] makes what a run may change. *)
let kernel ?(fresh = Fun.id) name doc input serial versions show : Kernel.t =
  let prepare (p : Kernel.params) =
    let n = by_size p in
    let data = input n in
    Ok
      (Kernel.Problem
         {
           about = Printf.sprintf "%d elements" n;
           input = (fun () -> fresh data);
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

let sum_ints =
  let serial (a : int array) =
    let s = ref 0 in
    for i = 0 to Array.length a - 1 do
      s := !s + a.(i)
    done;
    !s
  in
  let domainslib pool (a : int array) =
    Task.parallel_for_reduce ~start:0 ~finish:(Array.length a - 1) ~body:(Array.get a) pool ( + ) 0
  in
  kernel "sum-ints" "the sum of ints" ints serial
    [ Kernel.drover Drover.Array.sum_ints; Kernel.domainslib domainslib ]
    (Printf.sprintf "sum %d")

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
    [ Kernel.drover Drover.Array.sum_floats; Kernel.domainslib domainslib ]
    (Printf.sprintf "sum %g")

let scan_by op (a : int array) =
  let acc = ref 0 in
  Array.map
    (fun x ->
      acc := op !acc x;
      !acc)
    a

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
      Kernel.serial "serial, any operator" (scan_by ( + ));
      Kernel.drover Drover.Array.scan_ints;
      Kernel.drover ~name:"drover, any operator" (Drover.Array.scan ~init:0 ~combine:( + ));
      Kernel.domainslib (fun pool a -> Task.parallel_scan pool ( + ) a);
    ]
    last

let scan_inplace =
  let serial (a : int array) =
    let acc = ref 0 in
    for i = 0 to Array.length a - 1 do
      acc := !acc + a.(i);
      a.(i) <- !acc
    done;
    a
  in
  let drover a =
    Drover.Array.scan_ints_inplace a;
    a
  in
  kernel ~fresh:Array.copy "scan-inplace" "prefix sums of ints, in place" ints serial
    [ Kernel.drover drover; Kernel.domainslib (fun pool a -> Task.parallel_scan pool ( + ) a) ]
    last

let scan_floats =
  let serial (a : float array) =
    let r = Array.create_float (Array.length a) and acc = ref 0. in
    for i = 0 to Array.length a - 1 do
      acc := !acc +. a.(i);
      r.(i) <- !acc
    done;
    r
  in
  kernel "scan-floats" "prefix sums of floats" floats serial
    [
      Kernel.drover Drover.Array.scan_floats;
      Kernel.domainslib (fun pool a -> Task.parallel_scan pool ( +. ) a);
    ]
    (fun a -> Printf.sprintf "the last is %g" a.(Array.length a - 1))

(* A mixing function: a few instructions, and no division by chunks can tell one element from
   another. *)
let mix x =
  let x = x lxor (x lsr 30) * 0x3f58476d1ce4e5b9 in
  let x = x lxor (x lsr 27) * 0x14d049bb133111eb in
  x lxor (x lsr 31)

let map =
  let domainslib pool a =
    let r = Array.make (Array.length a) 0 in
    Task.parallel_for pool ~start:0 ~finish:(Array.length a - 1) ~body:(fun i -> r.(i) <- mix a.(i));
    r
  in
  kernel "map" "a few instructions on each of random ints" ints (Array.map mix)
    [ Kernel.drover (Drover.Array.map mix); Kernel.domainslib domainslib ]
    last

let map_floats =
  let domainslib pool a =
    let r = Array.create_float (Array.length a) in
    Task.parallel_for pool ~start:0
      ~finish:(Array.length a - 1)
      ~body:(fun i -> r.(i) <- Float.sin a.(i));
    r
  in
  kernel "map-floats" "the sines of floats" floats (Array.map Float.sin)
    [ Kernel.drover (Drover.Array.map Float.sin); Kernel.domainslib domainslib ]
    (fun a -> Printf.sprintf "the last is %g" a.(Array.length a - 1))

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

(* The key is a function of the user, which [Array.iter] and [Drover.Array.histogram] call for each
   element; a loop of one's own has it in line. *)
let histogram =
  let serial a =
    let counts = Array.make bins 0 in
    Array.iter
      (fun x ->
        let b = bin x in
        counts.(b) <- counts.(b) + 1)
      a;
    counts
  in
  let count (a : int array) lo hi =
    let counts = Array.make bins 0 in
    for i = lo to hi do
      let b = bin a.(i) in
      counts.(b) <- counts.(b) + 1
    done;
    counts
  in
  let ranges a =
    Drover.parallel_reduce_range ~start:0
      ~finish:(Array.length a - 1)
      ~init:(Array.make bins 0) ~combine:(Array.map2 ( + )) (count a)
  in
  let domainslib pool a =
    List.fold_left (Array.map2 ( + )) (Array.make bins 0)
      (Chunks.map pool (Array.length a) (count a))
  in
  kernel "histogram" "counts of random ints in 256 bins" ints serial
    [
      Kernel.serial "serial, in line" (fun a -> count a 0 (Array.length a - 1));
      Kernel.drover (Drover.Array.histogram ~bins bin);
      Kernel.drover ~name:"drover, in line" ranges;
      Kernel.domainslib domainslib;
    ]
    last

let kernels = [ sum_ints; sum; scan; scan_inplace; scan_floats; map; map_floats; filter; histogram ]
