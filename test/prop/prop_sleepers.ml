(* The sleepers are linearizable: a set of workers, whose least any domain removes, and that a worker leaves
   by itself. *)

open QCheck

(* The worker that is chosen, if any. That it was gone by then is no worker's removal. *)
let rec choose s =
  let i = Sleepers.first s in
  if i = Sleepers.nobody then None
  else match Sleepers.try_to_remove s i with Removed -> Some i | Gone | Disturbed -> choose s

module Spec = struct
  type cmd = Announce of int | Withdraw of int | Choose | Is_empty | Length
  type state = int list (* in order *)
  type sut = Sleepers.t

  let show_cmd = function
    | Announce i -> Printf.sprintf "Announce %d" i
    | Withdraw i -> Printf.sprintf "Withdraw %d" i
    | Choose -> "Choose"
    | Is_empty -> "Is_empty"
    | Length -> "Length"

  (* The workers of a domain announce and withdraw there only. Who chooses looks, and then removes: so it is the least
     that is removed only if no lesser one can have come in between. *)
  let cmds ?(chooses = true) workers sleepers =
    let awake = List.filter (fun i -> not (List.mem i sleepers)) workers in
    let announce =
      if awake = [] then [] else [ (4, Gen.map (fun i -> Announce i) (Gen.oneof_list awake)) ]
    in
    let others =
      [
        (3, Gen.map (fun i -> Withdraw i) (Gen.oneof_list workers));
        (1, Gen.pure Is_empty);
        (1, Gen.pure Length);
      ]
    and choose = if chooses then [ (2, Gen.pure Choose) ] else [] in
    make ~print:show_cmd (Gen.oneof_weighted (announce @ others @ choose))

  let one = cmds [ 0; 1; 2; 3; 4 ]
  let other = cmds [ 5 ] ~chooses:false
  let before = cmds [ 0; 1; 2; 3; 4; 5 ]

  (* Alone, in three words. *)
  let arb_cmd = cmds [ 0; 1; 61; 62; 130 ]
  let init_state = []
  let init_sut () = Sleepers.create 131
  let cleanup _ = ()

  let precond cmd sleepers =
    match cmd with
    | Announce i -> not (List.mem i sleepers)
    | Withdraw _ | Choose | Is_empty | Length -> true

  let next_state cmd sleepers =
    match (cmd, sleepers) with
    | Announce i, _ -> List.sort Int.compare (i :: sleepers)
    | Withdraw i, _ -> List.filter (fun id -> id <> i) sleepers
    | Choose, _ :: rest -> rest
    | (Choose | Is_empty | Length), _ -> sleepers

  let run cmd s =
    match cmd with
    | Announce i -> STM.Res (STM.unit, Sleepers.announce s i)
    | Withdraw i -> STM.Res (STM.bool, Sleepers.remove s i)
    | Choose -> STM.Res (STM.option STM.int, choose s)
    | Is_empty -> STM.Res (STM.bool, Sleepers.is_empty s)
    | Length -> STM.Res (STM.int, Sleepers.length s)

  let postcond cmd (sleepers : int list) (res : STM.res) =
    match (cmd, res) with
    | Announce _, Res ((STM.Unit, _), ()) -> true
    | Withdraw i, Res ((STM.Bool, _), was_in) -> was_in = List.mem i sleepers
    | Choose, Res ((STM.Option STM.Int, _), chosen) -> chosen = List.nth_opt sleepers 0
    | Is_empty, Res ((STM.Bool, _), b) -> b = List.is_empty sleepers
    | Length, Res ((STM.Int, _), n) -> n = List.length sleepers
    | _ -> false
end

module Agrees = Agree.Make (Spec)

let () =
  Test_support.Properties.run
    [
      Agrees.sequential "sleepers";
      Agrees.domains "sleepers" ~prefix:4 ~before:Spec.before ~one:Spec.one ~other:Spec.other;
    ]
