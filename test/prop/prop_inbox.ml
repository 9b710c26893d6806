(* The inbox is linearizable, but that a taker may find nothing where another was faster. *)

open QCheck

module Spec = struct
  type cmd = Add of int | Take | Is_empty
  type state = int list (* oldest first *)
  type sut = int Inbox.t

  let rec take b =
    if Inbox.is_empty b then -1
    else
      let x = Inbox.take b in
      if x >= 0 then x else take b

  let show_cmd = function
    | Add x -> Printf.sprintf "Add %d" x
    | Take -> "Take"
    | Is_empty -> "Is_empty"

  let arb_cmd _ =
    make ~print:show_cmd
      (Gen.oneof_weighted
         [ (3, Gen.map (fun x -> Add x) Gen.nat_small); (2, Gen.pure Take); (1, Gen.pure Is_empty) ])

  let init_state = []
  let init_sut () = Inbox.create ~nil:(-1)
  let cleanup _ = ()
  let precond _ _ = true

  let next_state cmd items =
    match (cmd, items) with
    | Add x, _ -> items @ [ x ]
    | Take, _ :: items -> items
    | (Take | Is_empty), _ -> items

  let run cmd b =
    match cmd with
    | Add x -> STM.Res (STM.unit, Inbox.add b x)
    | Take -> STM.Res (STM.int, take b)
    | Is_empty -> STM.Res (STM.bool, Inbox.is_empty b)

  let postcond cmd (items : int list) (res : STM.res) =
    match (cmd, res) with
    | Add _, Res ((STM.Unit, _), ()) -> true
    | Take, Res ((STM.Int, _), taken) -> ( taken = match items with x :: _ -> x | [] -> -1)
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
