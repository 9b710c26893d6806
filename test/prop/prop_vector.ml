(* Vectors against lists. *)

open Map_laws
module Vector = Drover_batched.Vector

type command = Append of int | Get of int | Set of int * int | Double of int | Break of int

let op = function
  | Append x -> Vector.append_op x
  | Get i -> Vector.get_op i
  | Set (i, x) -> Vector.set_op i x
  | Double i -> Vector.update_op i (fun x -> 2 * x)
  | Break i -> Vector.update_op i (fun _ -> raise Refused)

let command b rng =
  let i () = Random.State.int rng (b.keys + 1) - 1 and x () = Random.State.int rng 1000 in
  match Random.State.int rng 8 with
  | 0 | 1 -> Append (x ())
  | 2 | 3 -> Get (i ())
  | 4 -> Double (i ())
  | 5 -> Break (i ())
  | _ -> Set (i (), x ())

type result = Element of int | Missing | Broken

let result op =
  match Vector.element op with
  | x -> Element x
  | exception Invalid_argument _ -> Missing
  | exception Refused -> Broken

(* Appends to the model come first. *)
let follow model cmds ops =
  let wrong what = failwith ("wrong: " ^ what) in
  let append model cmd op =
    match cmd with
    | Append x ->
        if result op <> Element x || Vector.index op <> Array.length model then wrong "append";
        Array.append model [| x |]
    | _ -> model
  in
  let model = Seq.fold_left2 append model (Array.to_seq cmds) (Array.to_seq ops) in
  let change cmd op =
    match cmd with
    | Append _ -> ()
    | Get i | Set (i, _) | Double i | Break i -> (
        let found = if i >= 0 && i < Array.length model then Element model.(i) else Missing in
        match (cmd, found) with
        | Break _, Element _ -> if result op <> Broken then wrong "break"
        | _, found when found <> result op -> wrong "element"
        | Set (_, x), Element _ -> model.(i) <- x
        | Double _, Element x -> model.(i) <- 2 * x
        | _ -> ())
  in
  Array.iter2 change cmds ops;
  model

let agrees b =
  let rng = Random.State.make [| b.seed |] in
  let t = Vector.create () in
  let apply model size =
    let cmds = Array.init size (fun _ -> command b rng) in
    let ops = Array.map op cmds in
    Vector.apply t ops;
    let model = follow model cmds ops in
    if Vector.to_array t <> model || Vector.length t <> Array.length model then
      failwith "wrong elements";
    model
  in
  let model = List.fold_left apply [||] b.sizes in
  let first = Vector.append_all t [| 1; 2; 3 |] in
  first = Array.length model && Vector.to_array t = Array.append model [| 1; 2; 3 |]

let singly b =
  let t = Vector.create () in
  let n = List.fold_left ( + ) 1 b.sizes in
  Drover.parallel_for ~start:0 ~finish:(n - 1) (fun x ->
      let i = Vector.append t x in
      Vector.update t i (fun y -> y + 1);
      if Vector.get t i <> x + 1 then failwith "wrong element");
  List.sort compare (Array.to_list (Vector.to_array t)) = List.init n succ

module Spec = struct
  type cmd =
    | Append of int
    | Append_all of int list
    | Get of int
    | Set of int * int
    | Pop
    | Elements
    | Length

  type state = int list
  type sut = int Vector.t

  let show_cmd = function
    | Append x -> Printf.sprintf "Append %d" x
    | Append_all xs -> Printf.sprintf "Append_all %s" QCheck.Print.(list int xs)
    | Get i -> Printf.sprintf "Get %d" i
    | Set (i, x) -> Printf.sprintf "Set (%d, %d)" i x
    | Pop -> "Pop"
    | Elements -> "Elements"
    | Length -> "Length"

  let arb_cmd _ =
    let open QCheck.Gen in
    let i = int_range 0 3 and x = int_range 1 9 in
    QCheck.make ~print:show_cmd
      (oneof_weighted
         [
           (4, map (fun x -> Append x) x);
           (1, map (fun xs -> Append_all xs) (list_size (int_range 0 4) x));
           (1, pure Elements);
           (2, map (fun i -> Get i) i);
           (2, map2 (fun i x -> Set (i, x)) i x);
           (2, pure Pop);
           (1, pure Length);
         ])

  let init_state = []
  let init_sut () = Vector.create ()
  let cleanup _ = ()
  let precond _ _ = true
  let exists i list = i >= 0 && i < List.length list

  let next_state cmd list =
    match cmd with
    | Append x -> list @ [ x ]
    | Append_all xs -> list @ xs
    | Set (i, x) -> List.mapi (fun j y -> if i = j then x else y) list
    | Pop -> List.filteri (fun i _ -> i < List.length list - 1) list
    | Get _ | Elements | Length -> list

  let run cmd t =
    let open STM in
    match cmd with
    | Append x -> Res (int, Vector.append t x)
    | Append_all xs -> Res (int, Vector.append_all t (Array.of_list xs))
    | Elements -> Res (list int, Array.to_list (Vector.to_array t))
    | Get i -> Res (result int exn, protect (Vector.get t) i)
    | Set (i, x) -> Res (result unit exn, protect (Vector.set t i) x)
    | Pop -> Res (option int, Vector.pop t)
    | Length -> Res (int, Vector.length t)

  let postcond cmd (list : int list) (res : STM.res) =
    match (cmd, res) with
    | Elements, Res ((STM.List STM.Int, _), elements) -> elements = list
    | (Append _ | Append_all _ | Length), Res ((STM.Int, _), n) -> n = List.length list
    | Get i, Res ((STM.Result (STM.Int, STM.Exn), _), r) ->
        if exists i list then r = Ok (List.nth list i) else Result.is_error r
    | Set (i, _), Res ((STM.Result (STM.Unit, STM.Exn), _), r) -> Result.is_ok r = exists i list
    | Pop, Res ((STM.Option STM.Int, _), x) -> List.nth_opt (List.rev list) 0 = x
    | _ -> false
end

module Agrees = Agree.Make (Spec)
module Company = Strands.Make (Spec)

let () =
  let name = "vector" and cmds = Spec.arb_cmd in
  Test_support.Properties.run
    [
      law "vector: batches agree with an array" agrees;
      law ~count:10 "vector: single operations of many tasks" singly;
      Agrees.sequential name;
      Agrees.domains ~count:40 name ~prefix:4 ~before:cmds ~one:cmds ~other:cmds;
      Company.tasks_and_threads name;
    ]
