(* Priority queues against a sorted list, in which equal elements are in the order they came in.
   Elements are pairs, compared by the first component. *)

open Map_laws
module Queue = Drover_batched.Priority_queue

let by_priority (x, _) (y, _) = Int.compare x y

type command = Push of (int * int) | Pop

let commands b =
  let rng = Random.State.make [| b.seed |] in
  let command i =
    if Random.State.int rng 5 < 3 then Push (Random.State.int rng b.keys, i) else Pop
  in
  List.map (fun size -> Array.init size command) b.sizes

let op = function Push x -> Queue.push_op x | Pop -> Queue.pop_op ()
let put x list = List.merge by_priority list [ x ]

(* The pushes of a batch come first. *)
let follow list (cmds, ops) ~may_fail =
  let push list i = function
    | Pop -> list
    | Push x -> (
        match Queue.result ops.(i) with
        | None -> put x list
        | Some _ -> failwith "a push popped"
        | exception Refused when may_fail () -> list)
  in
  let pop list i = function
    | Push _ -> list
    | Pop -> (
        match (Queue.result ops.(i), list) with
        | None, [] -> []
        | Some x, y :: rest when x = y -> rest
        | exception Refused when may_fail () -> list
        | _ -> failwith "popped another one")
  in
  let fold f list = snd (Array.fold_left (fun (i, l) cmd -> (i + 1, f l i cmd)) (0, list) cmds) in
  fold pop (fold push list)

(* [tick] is called with what is compared while a batch is applied. *)
let run b ~tick ~may_fail =
  let armed = Atomic.make false in
  let compare x y =
    if Atomic.get armed then begin
      tick (fst x);
      tick (fst y)
    end;
    by_priority x y
  in
  let t = Queue.create compare in
  Queue.push t (-1, -1);
  let apply list cmds =
    let ops = Array.map op cmds in
    Atomic.set armed true;
    Queue.apply t ops;
    Atomic.set armed false;
    let list = follow list (cmds, ops) ~may_fail in
    if Array.to_list (Queue.to_array t) <> list then failwith "wrong elements";
    if Queue.length t <> List.length list then failwith "wrong length";
    if Queue.peek t <> List.nth_opt list 0 then failwith "wrong first";
    Queue.validate t;
    list
  in
  ignore (List.fold_left apply [ (-1, -1) ] (commands b));
  true

let small b = { b with sizes = List.map (Int.min 600) b.sizes }
let agrees b = run (small b) ~tick:ignore ~may_fail:(fun () -> false)

(* A comparison fails now and then: each operation takes effect, or fails and does not. *)
let shaky b =
  let calls = Atomic.make b.seed in
  let tick _ = if Atomic.fetch_and_add calls 1 mod 97 = 0 then raise Refused in
  run (small b) ~tick ~may_fail:(fun () -> true)

(* Elements that cannot be compared, once there is one to compare with: pushes only. *)
let poisoned b =
  let is_poison (k, _) = k > 0 && k mod 7 = 0 in
  let t =
    Queue.create (fun x y ->
        if is_poison x || is_poison y then raise Refused;
        by_priority x y)
  in
  Queue.push t (-1, -1);
  let pushes = List.map (Array.map (function Push x -> x | Pop -> (0, 0))) (commands b) in
  let apply xs =
    let ops = Array.map Queue.push_op xs in
    Queue.apply t ops;
    Array.iter2
      (fun x op ->
        match Queue.result op with
        | None when not (is_poison x) -> ()
        | exception Refused when is_poison x -> ()
        | _ -> failwith "failed or not")
      xs ops
  in
  List.iter apply pushes;
  let expected = List.filter (fun x -> not (is_poison x)) (List.concat_map Array.to_list pushes) in
  Queue.validate t;
  Array.to_list (Queue.to_array t) = List.stable_sort by_priority ((-1, -1) :: expected)

(* Each push and each pop is a task. *)
let singly b =
  let t = Queue.create Int.compare in
  let n = List.fold_left ( + ) 1 b.sizes in
  let popped = Array.make n None in
  Drover.parallel_for ~start:0 ~finish:(n - 1) (fun i ->
      Queue.push t i;
      popped.(i) <- Queue.pop_min t);
  Queue.validate t;
  Queue.length t = 0
  && List.sort compare (List.filter_map Fun.id (Array.to_list popped)) = List.init n Fun.id

let many b =
  let t = Queue.create Int.compare in
  let rng = Random.State.make [| b.seed |] in
  let n = List.fold_left ( + ) 0 b.sizes in
  let xs = Array.init n (fun _ -> Random.State.int rng b.keys) in
  Queue.push_all t xs;
  let sorted = List.sort compare (Array.to_list xs) in
  let half = Queue.pop_many t (n / 2) in
  let rest = Queue.pop_many t n in
  Array.to_list (Array.append half rest) = sorted && Array.length half = n / 2

(* Numbers are compared by their tens: equal ones stay in the order they came in. *)
module Spec = struct
  let by_tens x y = Int.compare (x / 10) (y / 10)

  type cmd = Add of int | Take | Add_all of int list | Take_many of int | Peek | Elements | Length
  type state = int list
  type sut = int Queue.t

  let show_cmd = function
    | Add x -> Printf.sprintf "Push %d" x
    | Take -> "Pop"
    | Add_all xs -> Printf.sprintf "Push_all %s" QCheck.Print.(list int xs)
    | Take_many n -> Printf.sprintf "Pop_many %d" n
    | Elements -> "Elements"
    | Peek -> "Peek"
    | Length -> "Length"

  let arb_cmd _ =
    let open QCheck.Gen in
    QCheck.make ~print:show_cmd
      (oneof_weighted
         [
           (4, map (fun x -> Add x) (int_range 10 49));
           (4, pure Take);
           (1, map (fun xs -> Add_all xs) (list_size (int_range 0 4) (int_range 10 49)));
           (1, map (fun n -> Take_many n) (int_range 0 3));
           (1, pure Elements);
           (1, pure Peek);
           (1, pure Length);
         ])

  let init_state = []
  let init_sut () = Queue.create by_tens
  let cleanup _ = ()
  let precond _ _ = true

  let next_state cmd list =
    match (cmd, list) with
    | Add x, _ -> List.merge by_tens list [ x ]
    | Take, _ :: rest -> rest
    | Add_all xs, _ -> List.merge by_tens list (List.stable_sort by_tens xs)
    | Take_many n, _ -> List.drop n list
    | (Take | Peek | Elements | Length), _ -> list

  let run cmd t =
    let open STM in
    match cmd with
    | Add x -> Res (unit, Queue.push t x)
    | Take -> Res (option int, Queue.pop_min t)
    | Add_all xs -> Res (unit, Queue.push_all t (Array.of_list xs))
    | Take_many n -> Res (list int, Array.to_list (Queue.pop_many t n))
    | Elements -> Res (list int, Array.to_list (Queue.to_array t))
    | Peek -> Res (option int, Queue.peek t)
    | Length -> Res (int, Queue.length t)

  let postcond cmd (list : int list) (res : STM.res) =
    match (cmd, res) with
    | (Add _ | Add_all _), Res ((STM.Unit, _), ()) -> true
    | Take_many n, Res ((STM.List STM.Int, _), popped) -> popped = List.take n list
    | Elements, Res ((STM.List STM.Int, _), elements) -> elements = list
    | (Take | Peek), Res ((STM.Option STM.Int, _), x) -> List.nth_opt list 0 = x
    | Length, Res ((STM.Int, _), n) -> n = List.length list
    | _ -> false
end

module Agrees = Agree.Make (Spec)
module Company = Strands.Make (Spec)

let () =
  let name = "priority queue" and cmds = Spec.arb_cmd in
  Test_support.Properties.run
    [
      law "priority queue: batches agree with a list" agrees;
      law "priority queue: a comparison that raises fails its push only" poisoned;
      law "priority queue: a comparison that raises at times loses nothing else" shaky;
      law ~count:10 "priority queue: single operations of many tasks" singly;
      law "priority queue: push_all, pop_many" many;
      Agrees.sequential name;
      Agrees.domains ~count:40 name ~prefix:4 ~before:cmds ~one:cmds ~other:cmds;
      Company.tasks_and_threads name;
    ]
