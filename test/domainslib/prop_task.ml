(* Domainslib's loops and tasks on Drover, against plain OCaml, on random inputs and pools. *)

open Test_support
module Task = Domainslib.Task
module Gen = QCheck2.Gen

(* Pools are kept: a property is about what runs on them. *)
let pools = Array.init 4 (fun num_domains -> lazy (Task.setup_pool ~num_domains ()))

type input = { pool : int; chunk_size : int option; start : int; length : int }

let input =
  let open Gen in
  let+ pool = int_bound 3
  and+ chunk_size = option (oneof [ int_range (-1) 3; int_bound 1000 ])
  and+ start = int_range (-1000) 1000
  and+ length = oneof [ int_range (-2) 5; int_bound 1000 ] in
  { pool; chunk_size; start; length }

let print { pool; chunk_size; start; length } =
  let chunk = Option.fold ~none:"default" ~some:string_of_int chunk_size in
  Printf.sprintf "%d domains, chunk size %s, %d from %d" (pool + 1) chunk length start

let finish i = i.start + i.length - 1
let inside i f = Task.run (Lazy.force pools.(i.pool)) (fun () -> f (Lazy.force pools.(i.pool)))
let indices i = List.init (max 0 i.length) (fun k -> i.start + k)
let law name holds = Watchdog.property ~name ~print input holds

let for_loop i =
  let n = max 0 i.length in
  let counts = Array.make n 0 in
  inside i
    (Task.parallel_for ?chunk_size:i.chunk_size ~start:i.start ~finish:(finish i) ~body:(fun k ->
         counts.(k - i.start) <- counts.(k - i.start) + 1));
  counts = Array.make n 1

(* Strings do not commute. *)
let reduce i =
  let result =
    inside i (fun pool ->
        Task.parallel_for_reduce ?chunk_size:i.chunk_size ~start:i.start ~finish:(finish i)
          ~body:string_of_int pool ( ^ ) "init ")
  in
  result = String.concat "" ("init " :: List.map string_of_int (indices i))

(* Every operand is a stretch of the input: none is used twice, and none is made up. *)
let scan i =
  let append (a, b) (c, d) =
    if b <> c then failwith "not neighbours";
    (a, d)
  in
  let n = max 0 i.length in
  let input = Array.init n (fun k -> (k, k + 1)) in
  let scanned = inside i (fun pool -> Task.parallel_scan pool append input) in
  scanned = Array.init n (fun k -> (0, k + 1)) && input = Array.init n (fun k -> (k, k + 1))

let find i =
  let among = List.filter (fun k -> k mod 17 = 0) (indices i) in
  let body k = if k mod 17 = 0 then Some k else None in
  match
    inside i (Task.parallel_find ?chunk_size:i.chunk_size ~start:i.start ~finish:(finish i) ~body)
  with
  | Some k -> List.mem k among
  | None -> among = []

exception Wrong of int

(* The first failure, and nothing in progress when it is raised. *)
let failing i =
  let failing_at k = (k - i.start) mod 7 = 3 in
  let running = Atomic.make 0 in
  let body k =
    Atomic.incr running;
    Fun.protect
      (fun () -> if failing_at k then raise (Wrong k))
      ~finally:(fun () -> Atomic.decr running)
  in
  let loop = Task.parallel_for ?chunk_size:i.chunk_size ~start:i.start ~finish:(finish i) ~body in
  match inside i loop with
  | () -> i.length < 4
  | exception Wrong k -> failing_at k && Atomic.get running = 0

(* Task [k] awaits any of those before it. *)
let dependent_tasks i =
  let value pool =
    let tasks = Array.make (max 1 i.length) (Task.async pool (fun () -> 1)) in
    for k = 1 to i.length - 1 do
      let before = tasks.(k * 7919 mod k) and last = tasks.(k - 1) in
      tasks.(k) <- Task.async pool (fun () -> Task.await pool before + Task.await pool last - 1)
    done;
    Task.await pool tasks.(Array.length tasks - 1)
  in
  inside i value = 1

let () =
  Properties.run
    [
      law "parallel_for runs each iteration once" for_loop;
      law "parallel_for_reduce is a fold" reduce;
      law "parallel_scan is a scan" scan;
      law "parallel_find finds one" find;
      law "a failing loop" failing;
      law "tasks that await others" dependent_tasks;
    ]
