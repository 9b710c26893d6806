open Drover_harness

let n = 10
let ints = Array.init n (fun i -> i * 7 mod n)

let scan op a =
  let acc = ref 0 in
  Array.map
    (fun x ->
      acc := op !acc x;
      !acc)
    a

let half x = x < n / 2

(* A name, what one would use instead, and ours. *)
let pairs : (string * (unit -> unit) * (unit -> unit)) list =
  let module A = Drover.Array in
  let case name serial ours =
    let call f () = ignore (Sys.opaque_identity (f ints)) in
    (name, call serial, call ours)
  in
  let nothing i = ignore (Sys.opaque_identity i : int) in
  let sorted sort a = sort (Array.copy a) in
  let for_ lo hi =
    for i = lo to hi do
      nothing i
    done
  in
  [
    case "parallel_for"
      (fun _ -> for_ 0 (n - 1))
      (fun _ -> Drover.parallel_for ~start:0 ~finish:(n - 1) nothing);
    case "parallel_range"
      (fun _ -> for_ 0 (n - 1))
      (fun _ -> Drover.parallel_range ~start:0 ~finish:(n - 1) for_);
    case "Array.map" (Array.map succ) (A.map succ);
    case "Array.iter" (Array.iter nothing) (A.iter nothing);
    case "Array.reduce" (Array.fold_left ( + ) 0) (A.reduce ~init:0 ~combine:( + ) Fun.id);
    case "Array.sum_ints" (Array.fold_left ( + ) 0) A.sum_ints;
    case "Array.scan" (scan ( + )) (A.scan ~init:0 ~combine:( + ));
    case "Array.exists" (Array.exists (fun x -> x > n)) (A.exists (fun x -> x > n));
    case "Array.filter"
      (fun a -> Array.of_list (List.filter half (Array.to_list a)))
      (A.filter half);
    case "Array.sort"
      (sorted (Array.stable_sort Int.compare))
      (sorted (Drover.Array.sort Int.compare));
    case "Array.sort_ints" (sorted (Array.stable_sort Int.compare)) (sorted A.sort_ints);
  ]

let often times f () =
  for _ = 1 to times do
    f ()
  done

let above pool times (name, serial, ours) =
  let in_task f () = Drover.Pool.run pool f in
  let versions = [ often times serial; often times ours; in_task (often times ours) ] in
  match Turns.medians 7 versions with
  | [ serial; outside; task ] ->
      let figure where seconds =
        Probe.figure ~goal:(At_most 100.)
          (Printf.sprintf "%s of ten elements, %s, above the serial one" name where)
          "ns"
          ((seconds -. serial) *. 1e9 /. float times)
      in
      [ figure "in a task" task; figure "outside" outside ]
  | _ -> assert false (* one median for each version *)

let run (s : Probe.settings) =
  let times = Kernel.by_size s.size ~tiny:100 ~quick:100_000 ~full:1_000_000 in
  Drover.Pool.with_pool ~domains:2 (fun pool -> List.concat_map (above pool times) pairs)

let probe : Probe.t = { name = "small"; doc = "loops and algorithms on ten elements"; run }
