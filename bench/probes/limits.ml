open Drover_harness
open Drover_kernels
module Scope = Drover.Scope

(* Programs that never end and never look. *)

let sum = ref 0

let loop () =
  while true do
    incr sum
  done

let allocate () =
  while true do
    ignore (Sys.opaque_identity [ !sum ] : int list)
  done

let rec depth n = if n = 0 then 0 else 1 + Sys.opaque_identity (depth (n - 1))

let recurse () =
  while true do
    sum := !sum + depth 100_000
  done

let table = Hashtbl.create 16
let () = List.iter (fun i -> Hashtbl.replace table i i) (List.init 100_000 Fun.id)

let walk () =
  while true do
    Hashtbl.iter (fun key v -> sum := !sum + key + v) table
  done

let slow_compare a b =
  for i = 1 to 1000 do
    sum := !sum lxor i
  done;
  Int.compare a b

let sort () =
  let items = List.init 10_000 (fun i -> i * 7919 mod 10_007) in
  while true do
    ignore (List.sort slow_compare items : int list)
  done

let leaves = [| loop; allocate; recurse; walk; sort |]

let rec tree depth i () =
  if depth = 0 then leaves.(i mod Array.length leaves) ()
  else
    ignore (Drover.both (tree (depth - 1) (2 * i)) (tree (depth - 1) ((2 * i) + 1)) : unit * unit)

let programs =
  [
    ("a loop", loop);
    ("a loop that allocates", allocate);
    ("a deep recursion", recurse);
    ("a walk of a hash table", walk);
    ("a sort with a slow comparison", sort);
    ("a tree of these", tree 4 0);
  ]

(* By how much it ends too late, in milliseconds. *)
let lateness program i =
  let timeout = 0.005 +. (0.001 *. float (i mod 20)) in
  let start = Clock.now_ns () in
  match Scope.limited ~timeout program with
  | () -> assert false
  | exception Scope.Timeout -> (float (Clock.now_ns () - start) *. 1e-6) -. (timeout *. 1e3)

let percentile_99 values =
  Array.sort Float.compare values;
  values.((Array.length values - 1) * 99 / 100)

let other_computes () =
  while true do
    for i = 1 to 10_000 do
      sum := !sum lxor i
    done;
    Scope.check ()
  done

let late ~times domains =
  Drover.run ~domains @@ fun () ->
  Scope.run @@ fun s ->
  if domains > 1 then Scope.daemon s other_computes;
  let one (name, program) =
    let worst = percentile_99 (Array.init times (lateness program)) in
    let label = Printf.sprintf "%s, %d domains: p99 behind its deadline" name domains in
    Probe.figure ~goal:(At_most 50.) label "ms" worst
  in
  List.map one programs

(* What it costs *)

let hour = 3600.
let many_words = max_int / 16
let limited f = Scope.limited ~timeout:hour ~heap:many_words ~allocated:many_words f

let enter_and_leave n scope () =
  for _ = 1 to n do
    scope ignore
  done

let costs ~n =
  let scopes =
    [
      ("interruptible", Scope.interruptible);
      ("a time limit", fun f -> Scope.limited ~timeout:hour f);
      ("a heap limit", fun f -> Scope.limited ~heap:many_words f);
      ("all limits", limited);
    ]
  in
  let runs = List.map (fun (_, scope) -> enter_and_leave n scope) scopes in
  let medians = Drover.run ~domains:1 (fun () -> Turns.medians 7 runs) in
  List.map2
    (fun (name, _) seconds ->
      let label = Printf.sprintf "to enter and leave a scope: %s" name in
      Probe.figure ~goal:(At_most 2.) label "us" (seconds *. 1e6 /. float n))
    scopes medians

let fork_inside ~n domains =
  let fib () = ignore (Sys.opaque_identity (Fib.drover n) : int) in
  let run () = Turns.medians 11 [ fib; (fun () -> limited fib) ] in
  match Drover.run ~domains run with
  | [ outside; inside ] ->
      let label =
        Printf.sprintf "fork in a scope with limits over one outside, %d domains" domains
      in
      Probe.ratio ~goal:(At_most 1.05) label inside outside
  | _ -> assert false (* one median for each version *)

let run (s : Probe.settings) =
  let times = Kernel.by_size s.size ~tiny:2 ~quick:20 ~full:200 in
  let n = Kernel.by_size s.size ~tiny:12 ~quick:29 ~full:32 in
  costs ~n:(Kernel.by_size s.size ~tiny:10 ~quick:20_000 ~full:200_000)
  @ List.map (fork_inside ~n) [ 1; 2 ]
  @ List.concat_map (late ~times) [ 1; 2 ]

let probe : Probe.t = { name = "limits"; doc = "stopping what never looks, and its cost"; run }
