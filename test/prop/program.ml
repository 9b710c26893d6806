(* Random programs: trees of forks, tasks, loops and pools, with failures at random leaves. *)

type t =
  | Leaf of { id : int; work : int; fails : bool }
  | Both of t * t
  | All of t list
  | For of int option * t list
  | Reduce of int option * t list
  | Async of t * t (* a task, what goes on beside it, and then the await *)
  | Later of t (* after a wait that suspends *)
  | Catch of t
  | Run of int * t
  | Thread of t

(* Shown without the numbers of the leaves, which follow the order. *)
let rec show = function
  | Leaf { fails = true; _ } -> "Fail"
  | Leaf { work; _ } -> Printf.sprintf "Leaf %d" work
  | Both (a, b) -> Printf.sprintf "Both (%s, %s)" (show a) (show b)
  | All ts -> Printf.sprintf "All [%s]" (show_list ts)
  | For (grain, ts) -> Printf.sprintf "For (%s, [%s])" (show_grain grain) (show_list ts)
  | Reduce (grain, ts) -> Printf.sprintf "Reduce (%s, [%s])" (show_grain grain) (show_list ts)
  | Async (a, b) -> Printf.sprintf "Async (%s, %s)" (show a) (show b)
  | Later t -> Printf.sprintf "Later (%s)" (show t)
  | Catch t -> Printf.sprintf "Catch (%s)" (show t)
  | Run (n, t) -> Printf.sprintf "Run (%d, %s)" n (show t)
  | Thread t -> Printf.sprintf "Thread (%s)" (show t)

and show_list ts = String.concat "; " (List.map show ts)
and show_grain = Option.fold ~none:"-" ~some:string_of_int

(* Numbers the leaves 0 .. n - 1 from left to right, and says how many there are. *)
let number program =
  let next = ref 0 in
  let rec go = function
    | Leaf leaf ->
        incr next;
        Leaf { leaf with id = !next - 1 }
    | Both (a, b) ->
        let a = go a in
        Both (a, go b)
    | Async (a, b) ->
        let a = go a in
        Async (a, go b)
    | All ts -> All (List.map go ts)
    | For (grain, ts) -> For (grain, List.map go ts)
    | Reduce (grain, ts) -> Reduce (grain, List.map go ts)
    | Later t -> Later (go t)
    | Catch t -> Catch (go t)
    | Run (n, t) -> Run (n, go t)
    | Thread t -> Thread (go t)
  in
  let program = go program in
  (program, !next)

let gen =
  let open QCheck2.Gen in
  let leaf =
    let* work = oneof_weighted [ (3, pure 0); (2, int_range 1 50); (1, int_range 50 2000) ] in
    let+ fails = map (fun n -> n = 0) (int_range 0 60) in
    Leaf { id = 0; work; fails }
  in
  let grain = option (int_range 1 4) in
  (* A thread that a task waits for holds a worker of the default pool up. Were there threads within
     threads, these could be all its workers. *)
  let rec tree ~threads size =
    if size <= 1 then leaf
    else
      let sub = tree ~threads (size / 2) in
      let parts =
        let* n = int_range 0 (min size 8) in
        list_size (pure n) (tree ~threads (size / max 1 n))
      in
      (* Long loops are divided while they run, also in the middle of an iteration that waits. *)
      let many =
        let* n = int_range 1 200 in
        list_size (pure n) (oneof_weighted [ (3, leaf); (1, map (fun t -> Later t) leaf) ])
      in
      let iterations = oneof_weighted [ (2, parts); (1, many) ] in
      oneof_weighted
        [
          (1, leaf);
          (6, map2 (fun a b -> Both (a, b)) sub sub);
          (2, map (fun ts -> All ts) parts);
          (2, map2 (fun grain ts -> For (grain, ts)) grain iterations);
          (2, map2 (fun grain ts -> Reduce (grain, ts)) grain iterations);
          (3, map2 (fun a b -> Async (a, b)) sub sub);
          (2, map (fun t -> Later t) sub);
          (2, map (fun t -> Catch t) sub);
          (1, map2 (fun n t -> Run (n, t)) (int_range 1 3) sub);
          ((if threads then 1 else 0), map (fun t -> Thread t) (tree ~threads:false (size / 2)));
        ]
  in
  sized_size (int_range 1 60) (tree ~threads:true)
