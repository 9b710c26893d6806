(* The sleepers are linearizable: a stack of workers that any domain pops, and that a worker leaves
   by itself. *)

open QCheck

(* The worker that is chosen, if any. *)
let rec choose s =
  let i = Sleepers.choose s in
  if i = Sleepers.try_again then choose s else if i = Sleepers.nobody then None else Some i

module Spec = struct
  type cmd = Announce of int | Withdraw of int | Choose | Is_empty
  type state = int list (* the last to come first *)
  type sut = Sleepers.t

  let show_cmd = function
    | Announce i -> Printf.sprintf "Announce %d" i
    | Withdraw i -> Printf.sprintf "Withdraw %d" i
    | Choose -> "Choose"
    | Is_empty -> "Is_empty"

  (* The workers of a domain announce and withdraw there only. *)
  let cmds workers sleepers =
    let awake = List.filter (fun i -> not (List.mem i sleepers)) workers in
    let announce =
      if awake = [] then [] else [ (4, Gen.map (fun i -> Announce i) (Gen.oneof_list awake)) ]
    in
    let others =
      [
        (3, Gen.map (fun i -> Withdraw i) (Gen.oneof_list workers));
        (2, Gen.pure Choose);
        (1, Gen.pure Is_empty);
      ]
    in
    make ~print:show_cmd (Gen.oneof_weighted (announce @ others))

  let one = cmds [ 0; 1; 2 ]
  let other = cmds [ 3; 4; 5 ]
  let arb_cmd = cmds [ 0; 1; 2; 3; 4; 5 ]
  let init_state = []
  let init_sut = Sleepers.create
  let cleanup _ = ()

  let precond cmd sleepers =
    match cmd with
    | Announce i -> not (List.mem i sleepers)
    | Withdraw _ | Choose | Is_empty -> true

  let next_state cmd sleepers =
    match (cmd, sleepers) with
    | Announce i, _ -> i :: sleepers
    | Withdraw i, _ -> List.filter (fun id -> id <> i) sleepers
    | Choose, _ :: rest -> rest
    | (Choose | Is_empty), _ -> sleepers

  let run cmd s =
    match cmd with
    | Announce i -> STM.Res (STM.unit, Sleepers.announce s i)
    | Withdraw i -> STM.Res (STM.bool, Sleepers.withdraw s i)
    | Choose -> STM.Res (STM.option STM.int, choose s)
    | Is_empty -> STM.Res (STM.bool, Sleepers.is_empty s)

  let postcond cmd (sleepers : int list) (res : STM.res) =
    match (cmd, res) with
    | Announce _, Res ((STM.Unit, _), ()) -> true
    | Withdraw i, Res ((STM.Bool, _), was_in) -> was_in = List.mem i sleepers
    | Choose, Res ((STM.Option STM.Int, _), chosen) -> chosen = List.nth_opt sleepers 0
    | Is_empty, Res ((STM.Bool, _), b) -> b = List.is_empty sleepers
    | _ -> false
end

module Agrees = Agree.Make (Spec)

let () =
  Test_support.Properties.run
    [
      Agrees.sequential "sleepers";
      Agrees.domains "sleepers" ~prefix:4 ~before:Spec.arb_cmd ~one:Spec.one ~other:Spec.other;
    ]
