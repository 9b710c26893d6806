(* Counters against a number. *)

open Map_laws
module Counter = Drover_batched.Counter

let agrees b =
  let rng = Random.State.make [| b.seed |] in
  let t = Counter.create b.keys in
  let apply before size =
    let amounts = Array.init size (fun _ -> Random.State.int rng 2000 - 1000) in
    let results = Counter.add_all t amounts in
    let follow before result amount =
      if result <> before then failwith "wrong result";
      before + amount
    in
    let after = Seq.fold_left2 follow before (Array.to_seq results) (Array.to_seq amounts) in
    if Counter.get t <> after then failwith "wrong value";
    after
  in
  ignore (List.fold_left apply b.keys b.sizes : int);
  true

(* Each addition finds another number. *)
let singly b =
  let n = List.fold_left ( + ) 1 b.sizes in
  let t = Counter.create 0 in
  let seen = Array.make n false in
  Drover.parallel_for ~start:0 ~finish:(n - 1) (fun _ -> seen.(Counter.add t 1) <- true);
  Counter.get t = n && Array.for_all Fun.id seen

module Spec = struct
  type cmd = Add of int | Add_all of int list | Double | Refuse | Get
  type state = int
  type sut = Counter.t

  let show_cmd = function
    | Add n -> Printf.sprintf "Add %d" n
    | Add_all amounts -> Printf.sprintf "Add_all %s" QCheck.Print.(list int amounts)
    | Double -> "Double"
    | Refuse -> "Refuse"
    | Get -> "Get"

  let arb_cmd _ =
    let open QCheck.Gen in
    QCheck.make ~print:show_cmd
      (oneof_weighted
         [
           (4, map (fun n -> Add n) (int_range (-5) 5));
           (1, map (fun amounts -> Add_all amounts) (list_size (int_range 0 4) (int_range (-5) 5)));
           (1, pure Double);
           (1, pure Refuse);
           (2, pure Get);
         ])

  let init_state = 1
  let init_sut () = Counter.create 1
  let cleanup _ = ()
  let precond _ _ = true

  let next_state cmd n =
    match cmd with
    | Add m -> n + m
    | Add_all amounts -> List.fold_left ( + ) n amounts
    | Double -> 2 * n
    | Refuse | Get -> n

  let run cmd t =
    let open STM in
    match cmd with
    | Add n -> Res (int, Counter.add t n)
    | Add_all amounts -> Res (list int, Array.to_list (Counter.add_all t (Array.of_list amounts)))
    | Double -> Res (int, Counter.update t (fun n -> 2 * n))
    | Refuse -> Res (result int exn, protect (Counter.update t) (fun _ -> raise Refused))
    | Get -> Res (int, Counter.get t)

  let postcond cmd (n : int) (res : STM.res) =
    match (cmd, res) with
    | (Add _ | Double | Get), Res ((STM.Int, _), before) -> before = n
    | Add_all amounts, Res ((STM.List STM.Int, _), before) ->
        let rec prefixes n = function [] -> [] | m :: rest -> n :: prefixes (n + m) rest in
        before = prefixes n amounts
    | Refuse, Res ((STM.Result (STM.Int, STM.Exn), _), r) -> r = Error Refused
    | _ -> false
end

module Agrees = Agree.Make (Spec)
module Company = Strands.Make (Spec)

let () =
  let name = "counter" and cmds = Spec.arb_cmd in
  Test_support.Properties.run
    [
      law "counter: batches agree with a number" agrees;
      law ~count:10 "counter: single operations of many tasks" singly;
      Agrees.sequential name;
      Agrees.domains ~count:40 name ~prefix:4 ~before:cmds ~one:cmds ~other:cmds;
      Company.tasks_and_threads name;
    ]
