(* The inbox is linearizable: a list that any domain extends and any domain takes. *)

open QCheck

module Spec = struct
  type cmd = Add of int | Take_all | Is_empty
  type state = int list (* newest first *)
  type sut = int Inbox.t

  let show_cmd = function
    | Add x -> Printf.sprintf "Add %d" x
    | Take_all -> "Take_all"
    | Is_empty -> "Is_empty"

  let arb_cmd _ =
    make ~print:show_cmd
      (Gen.oneof_weighted
         [
           (3, Gen.map (fun x -> Add x) Gen.nat_small);
           (2, Gen.pure Take_all);
           (1, Gen.pure Is_empty);
         ])

  let init_state = []
  let init_sut = Inbox.create
  let cleanup _ = ()
  let precond _ _ = true

  let next_state cmd items =
    match cmd with Add x -> x :: items | Take_all -> [] | Is_empty -> items

  let run cmd b =
    match cmd with
    | Add x -> STM.Res (STM.unit, Inbox.add b x)
    | Take_all -> STM.Res (STM.list STM.int, Inbox.take_all b)
    | Is_empty -> STM.Res (STM.bool, Inbox.is_empty b)

  let postcond cmd (items : int list) (res : STM.res) =
    match (cmd, res) with
    | Add _, Res ((STM.Unit, _), ()) -> true
    | Take_all, Res ((STM.List STM.Int, _), taken) -> taken = items
    | Is_empty, Res ((STM.Bool, _), b) -> b = List.is_empty items
    | _ -> false
end

module Agrees = Agree.Make (Spec)

let () =
  Test_support.Properties.run
    [
      Agrees.sequential "inbox";
      Agrees.domains "inbox" ~prefix:4 ~before:Spec.arb_cmd ~one:Spec.arb_cmd ~other:Spec.arb_cmd;
    ]
