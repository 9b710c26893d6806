(* Batches: a register whose operations are gathered agrees with one that has no batches. *)

open Test_support
open Drover
open Stdlib

exception Refused
exception Broken

type action = Add of int | Refuse  (** fails alone *) | Break  (** the batch function raises *)
type op = { action : action; mutable result : (int, exn) result option }
type register = { batch : op Batch.t; apply : action -> (int, exn) result }

(* How the batch function deals with the operations of a batch, but for the one that breaks it: it
   stops there, or raises when all others have their results. *)
type breaking = Halfway | At_the_end

let settle value op =
  match op.action with
  | Add n ->
      op.result <- Some (Ok !value);
      value := !value + n
  | Refuse -> op.result <- Some (Error Refused)
  | Break -> ()

let is_settled op = Option.is_some op.result

(* It waits now and then, so that others come while it runs. *)
let process breaking value ops =
  if Array.length ops > 1 then parallel_for ~start:0 ~finish:1 (fun _ -> await (async ignore));
  let breaks op = op.action = Break in
  let settle op = if breaking = Halfway && breaks op then raise Broken else settle value op in
  Array.iter settle ops;
  if Array.exists breaks ops then raise Broken

let create ~max breaking =
  let batch = Batch.create ~max ~applied:is_settled (process breaking (ref 0)) in
  let apply action =
    let op = { action; result = None } in
    match Batch.submit batch op with
    | () -> Option.get op.result
    | exception e when not (is_settled op) -> Error e
  in
  { batch; apply }

(* Each operation was in one batch. *)
let check_metrics r =
  let m = Batch.metrics r.batch in
  Stranger.expect "batches by size" m.batches (Array.fold_left ( + ) 0 m.sizes);
  if m.operations < m.batches then failwith "fewer operations than batches"

let show = function Add n -> Printf.sprintf "Add %d" n | Refuse -> "Refuse" | Break -> "Break"

let gen =
  let open QCheck.Gen in
  oneof_weighted [ (6, map (fun n -> Add n) (int_range (-5) 5)); (1, pure Refuse); (1, pure Break) ]

module type Kind = sig
  val max : int
end

(* Where a batch breaks at its end, what an operation does is its own affair. *)
module Spec (Kind : Kind) = struct
  type cmd = action
  type state = int
  type sut = register

  let show_cmd = show
  let arb_cmd _ = QCheck.make ~print:show gen
  let init_state = 0
  let init_sut () = create ~max:Kind.max At_the_end
  let cleanup = check_metrics
  let precond _ _ = true
  let next_state cmd n = match cmd with Add m -> n + m | Refuse | Break -> n
  let run cmd r = STM.(Res (result int exn, r.apply cmd))

  let postcond cmd (n : int) (res : STM.res) =
    match res with
    | Res ((STM.Result (STM.Int, STM.Exn), _), r) -> (
        match cmd with Add _ -> r = Ok n | Refuse -> r = Error Refused | Break -> r = Error Broken)
    | _ -> false
end

(* Where it stops halfway, it takes along some of the others, which then have not been applied. *)
module Halfway (Kind : Kind) = Strands.Make_waiting (struct
  type cmd = action
  type result = (int, exn) Stdlib.result
  type state = int
  type sut = register

  let show_cmd = show
  let cmd = gen
  let first = gen
  let last = []
  let init_state = 0
  let init_sut () = create ~max:Kind.max Halfway
  let cleanup = check_metrics
  let run cmd r = r.apply cmd

  let step n cmd result =
    match (cmd, result) with
    | Add m, Ok before when before = n -> Some (n + m)
    | Refuse, Error Refused | _, Error Broken -> Some n
    | _ -> None
end)

module Few = struct
  let max = 2
end

module Many = struct
  let max = 100
end

module Spec_few = Spec (Few)
module Spec_many = Spec (Many)
module Agrees_few = Agree.Make (Spec_few)
module Agrees_many = Agree.Make (Spec_many)
module Company = Strands.Make (Spec_few)
module Company_halfway = Halfway (Many)

let () =
  (* Where all others have their results when it breaks. *)
  Promise.on_unawaited_failure (fun _ _ -> ());
  let few = "batch, few at a time" and few_cmds = Spec_few.arb_cmd in
  let many = "batch, many at a time" and many_cmds = Spec_many.arb_cmd in
  Properties.run
    [
      Agrees_few.sequential few;
      Agrees_few.domains ~count:20 few ~prefix:4 ~before:few_cmds ~one:few_cmds ~other:few_cmds;
      Agrees_many.domains ~count:20 many ~prefix:4 ~before:many_cmds ~one:many_cmds ~other:many_cmds;
      Company.tasks_and_threads few;
      Company_halfway.tasks_and_threads (many ^ ", batches that break");
    ]
