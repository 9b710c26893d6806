(* Union-find against an array that holds the set of each element. *)

open Map_laws
module Sets = Drover_batched.Union_find

type command = Union of int * int | Find of int | Connected of int * int

let show_command = function
  | Union (x, y) -> Printf.sprintf "Union (%d, %d)" x y
  | Find x -> Printf.sprintf "Find %d" x
  | Connected (x, y) -> Printf.sprintf "Connected (%d, %d)" x y

let op = function
  | Union (x, y) -> Sets.union_op x y
  | Find x -> Sets.find_op x
  | Connected (x, y) -> Sets.connected_op x y

(* Elements of one set have one name. *)
let unite names x y =
  let old = names.(x) and name = names.(y) in
  Array.map (fun n -> if n = old then name else n) names

let exists names x = x >= 0 && x < Array.length names

(* The names after a command, whose result must fit. *)
let follow names (cmd, result) =
  let fits good = if not good then failwith ("wrong result: " ^ show_command cmd) in
  match (cmd, result) with
  | (Union (x, y) | Connected (x, y)), Error _ ->
      fits (not (exists names x && exists names y));
      names
  | Find x, Error _ ->
      fits (not (exists names x));
      names
  | Union (x, y), Ok merged ->
      fits (merged = Bool.to_int (names.(x) <> names.(y)));
      unite names x y
  | Find x, Ok root ->
      fits (names.(root) = names.(x));
      names
  | Connected (x, y), Ok connected ->
      fits (connected = Bool.to_int (names.(x) = names.(y)));
      names

let result op = match Sets.result op with n -> Ok n | exception Invalid_argument why -> Error why
let elements b = Int.min b.keys 300

(* Some elements do not exist. *)
let command b rng =
  let x () = Random.State.int rng (elements b + 2) - 1 in
  match Random.State.int rng 4 with
  | 0 -> Find (x ())
  | 1 -> Connected (x (), x ())
  | _ -> Union (x (), x ())

let same_sets names found =
  let pairs = List.sort_uniq compare (List.combine (Array.to_list names) (Array.to_list found)) in
  let count a = List.length (List.sort_uniq compare (Array.to_list a)) in
  List.length pairs = count names && List.length pairs = count found

let agrees b =
  let rng = Random.State.make [| b.seed |] in
  let t = Sets.create (elements b) in
  let apply names size =
    let cmds = Array.init (Int.min 1000 size) (fun _ -> command b rng) in
    let ops = Array.map op cmds in
    Sets.apply t ops;
    Sets.validate t;
    let names = Array.fold_left follow names (Array.map2 (fun c op -> (c, result op)) cmds ops) in
    if not (same_sets names (Sets.to_array t)) then failwith "wrong sets";
    if Sets.sets t <> List.length (List.sort_uniq compare (Array.to_list names)) then
      failwith "wrong number of sets";
    names
  in
  let names = List.fold_left apply (Array.init (elements b) Fun.id) b.sizes in
  let x = Sets.add t in
  Sets.validate t;
  x = Array.length names && Sets.find t x = x && Sets.length t = x + 1

(* A ring, by single operations of many tasks: all but one union merges. *)
let singly b =
  let n = List.fold_left ( + ) 2 b.sizes in
  let t = Sets.create n in
  let merged = Atomic.make 0 in
  Drover.parallel_for ~start:0 ~finish:(n - 1) (fun x ->
      let y = (x + 1) mod n in
      if Sets.union t x y then Atomic.incr merged;
      if not (Sets.connected t x y) then failwith "not connected");
  Sets.validate t;
  Atomic.get merged = n - 1 && Sets.sets t = 1

module Spec = struct
  type cmd = One of command | Union_all of (int * int) list | Add | Number
  type state = int array
  type sut = Sets.t

  let show_cmd = function
    | One command -> show_command command
    | Union_all pairs -> Printf.sprintf "Union_all %s" QCheck.Print.(list (pair int int) pairs)
    | Add -> "Add"
    | Number -> "Number"

  let arb_cmd _ =
    let open QCheck.Gen in
    let x = int_range 0 4 in
    QCheck.make ~print:show_cmd
      (oneof_weighted
         [
           (3, map2 (fun x y -> One (Union (x, y))) x x);
           (2, map2 (fun x y -> One (Connected (x, y))) x x);
           (1, map (fun x -> One (Find x)) x);
           (1, map (fun pairs -> Union_all pairs) (list_size (int_range 0 3) (pair x x)));
           (1, pure Add);
           (1, pure Number);
         ])

  let init_state = Array.init 5 Fun.id
  let init_sut () = Sets.create 5
  let cleanup _ = ()
  let precond _ _ = true

  let next_state cmd names =
    match cmd with
    | One (Union (x, y)) -> unite names x y
    | Union_all pairs -> List.fold_left (fun names (x, y) -> unite names x y) names pairs
    | Add -> Array.append names [| Array.length names |]
    | One (Find _ | Connected _) | Number -> names

  let run cmd t =
    let open STM in
    match cmd with
    | One (Union (x, y)) -> Res (bool, Sets.union t x y)
    | One (Find x) -> Res (int, Sets.find t x)
    | One (Connected (x, y)) -> Res (bool, Sets.connected t x y)
    | Union_all pairs -> Res (unit, Sets.union_all t (Array.of_list pairs))
    | Add -> Res (int, Sets.add t)
    | Number -> Res (int, Sets.sets t)

  let postcond cmd names (res : STM.res) =
    match (cmd, res) with
    | One (Union (x, y)), Res ((STM.Bool, _), merged) -> merged = (names.(x) <> names.(y))
    | One (Find x), Res ((STM.Int, _), root) -> names.(root) = names.(x)
    | One (Connected (x, y)), Res ((STM.Bool, _), b) -> b = (names.(x) = names.(y))
    | Union_all _, Res ((STM.Unit, _), ()) -> true
    | Add, Res ((STM.Int, _), x) -> x = Array.length names
    | Number, Res ((STM.Int, _), n) ->
        n = List.length (List.sort_uniq Int.compare (Array.to_list names))
    | _ -> false
end

module Agrees = Agree.Make (Spec)
module Company = Strands.Make (Spec)

let () =
  let name = "union-find" and cmds = Spec.arb_cmd in
  Test_support.Properties.run
    [
      law "union-find: batches agree with names of sets" agrees;
      law ~count:10 "union-find: single operations of many tasks" singly;
      Agrees.sequential name;
      Agrees.domains ~count:40 name ~prefix:4 ~before:cmds ~one:cmds ~other:cmds;
      Company.tasks_and_threads name;
    ]
