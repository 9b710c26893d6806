(* The deque is linearizable: an owner and a thief see a list, pushed and popped at one end and
   stolen from at the other. One thief, as a thief that another outruns may see nothing where there
   is something; and fewer than 32 items beside it, as an owner that leaves so many outruns it, too. *)

open QCheck

(* Items are positive, and 0 is [nil]. *)
module Deque = struct
  include Deque

  let found x = if x = 0 then None else Some x
  let pop d = found (pop d)
  let newest d = found (newest d)
  let steal d = found (steal d)

  let steal_many d =
    match look_at_many d with
    | Some look when steal_many d look -> oldest look
    | Some _ | None -> []
end

module type Start = sig
  val skipped : int
  (** How many items have been through the deque before. *)

  val items : int list
  (** What it holds, oldest first. *)
end

module Spec (Start : Start) = struct
  type cmd =
    | Push of int
    | Pop
    | Drop of int
    | Trim
    | Steal
    | Steal_many
    | Newest
    | Length
    | Is_empty

  type state = int list (* newest first *)
  type sut = int Deque.t

  let show_cmd = function
    | Push x -> Printf.sprintf "Push %d" x
    | Pop -> "Pop"
    | Drop x -> Printf.sprintf "Drop %d" x
    | Trim -> "Trim"
    | Steal -> "Steal"
    | Steal_many -> "Steal_many"
    | Newest -> "Newest"
    | Length -> "Length"
    | Is_empty -> "Is_empty"

  let look = [ Gen.pure Length; Gen.pure Is_empty ]
  let item = Gen.int_range 1 9

  let owner items =
    let newest = match items with [] -> item | x :: _ -> Gen.pure x in
    let own =
      [
        (4, Gen.map (fun x -> Push x) item);
        (4, Gen.pure Pop);
        (1, Gen.map (fun x -> Drop x) item);
        (2, Gen.map (fun x -> Drop x) newest);
        (2, Gen.pure Trim);
        (1, Gen.oneof (Gen.pure Newest :: look));
      ]
    in
    make ~print:show_cmd (Gen.oneof_weighted own)

  let thief _ = make ~print:show_cmd (Gen.oneof (Gen.pure Steal :: look))

  (* Not for a thief beside an owner, whose next epoch makes it fail although there are many. *)
  let arb_cmd items =
    make ~print:show_cmd
      (Gen.oneof_weighted
         [ (6, gen (owner items)); (2, gen (thief items)); (1, Gen.pure Steal_many) ])

  let init_state = List.rev Start.items

  let init_sut () =
    let d = Deque.create ~nil:0 in
    for x = 1 to Start.skipped do
      Deque.push d x;
      ignore (Deque.steal d)
    done;
    List.iter (Deque.push d) Start.items;
    d

  let cleanup _ = ()
  let precond _ _ = true
  let without_oldest items = match List.rev items with [] -> [] | _ :: rest -> List.rev rest
  let oldest_of_many items = if List.length items > 64 then List.take 32 (List.rev items) else []

  let next_state cmd items =
    match (cmd, items) with
    | Push x, _ -> x :: items
    | Pop, _ :: rest -> rest
    | Drop x, newest :: rest when x = newest -> rest
    | Steal, _ -> without_oldest items
    | Steal_many, _ -> List.take (List.length items - List.length (oldest_of_many items)) items
    | (Pop | Drop _ | Trim | Newest | Length | Is_empty), _ -> items

  let run cmd d =
    match cmd with
    | Push x -> STM.Res (STM.unit, Deque.push d x)
    | Pop -> STM.Res (STM.option STM.int, Deque.pop d)
    | Drop x -> STM.Res (STM.unit, Deque.drop d x)
    | Trim -> STM.Res (STM.unit, Deque.trim d ~kept:2)
    | Steal -> STM.Res (STM.option STM.int, Deque.steal d)
    | Steal_many -> STM.Res (STM.list STM.int, Deque.steal_many d)
    | Newest -> STM.Res (STM.option STM.int, Deque.newest d)
    | Length -> STM.Res (STM.int, Deque.length d)
    | Is_empty -> STM.Res (STM.bool, Deque.is_empty d)

  let postcond cmd (items : int list) (res : STM.res) =
    match (cmd, res) with
    | (Push _ | Drop _ | Trim), Res ((STM.Unit, _), ()) -> true
    | (Pop | Newest), Res ((STM.Option STM.Int, _), x) -> x = List.nth_opt items 0
    | Steal, Res ((STM.Option STM.Int, _), x) -> x = List.nth_opt (List.rev items) 0
    | Steal_many, Res ((STM.List STM.Int, _), taken) -> taken = oldest_of_many items
    | Length, Res ((STM.Int, _), n) -> n = List.length items
    | Is_empty, Res ((STM.Bool, _), b) -> b = List.is_empty items
    | _ -> false
end

module Empty = Spec (struct
  let skipped = 0
  let items = []
end)

(* One push fills the array, the next makes it grow, and what it holds goes around the end of the
   array. *)
module Nearly_full = Spec (struct
  let skipped = 20
  let items = List.init 15 (fun i -> 1 + (i mod 9))
end)

module Long = Spec (struct
  let skipped = 40
  let items = List.init 70 (fun i -> 1 + (i mod 9))
end)

module Empty_agrees = Agree.Make (Empty)
module Nearly_full_agrees = Agree.Make (Nearly_full)
module Long_agrees = Agree.Make (Long)

let () =
  Test_support.Properties.run
    [
      Empty_agrees.sequential "deque";
      Nearly_full_agrees.sequential "nearly full deque";
      Long_agrees.sequential "long deque";
      Empty_agrees.domains "deque" ~prefix:4 ~before:Empty.arb_cmd ~one:Empty.owner
        ~other:Empty.thief;
      Nearly_full_agrees.domains "nearly full deque" ~prefix:2 ~before:Nearly_full.arb_cmd
        ~one:Nearly_full.owner ~other:Nearly_full.thief;
    ]
