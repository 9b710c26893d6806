(* Gather: several pieces of one piece of work, that fail together.

   The first failure wins, and pieces that have not started then are skipped; it carries the failures
   of those that had. The pieces are joined by [both], which waits for all that have started; what
   they raise to each other says only that there is a failure. *)

type t = Failure.t list Atomic.t (* latest first *)

exception Skipped

(* The others need not go on, although nothing is wrong. *)
exception Enough

(* Not a failure of its own. *)
let is_consequence = function Skipped | Enough | Token.Cancelled _ -> true | _ -> false
let has_failed g = match Atomic.get g with [] -> false | _ :: _ -> true
let was_cancelled (f : Failure.t) = match f.exn with Token.Cancelled _ -> true | _ -> false

(* To be cancelled counts as long as there is nothing else. *)
let with_failure (failure : Failure.t) before =
  if List.is_empty before then [ failure ]
  else if is_consequence failure.exn then before
  else failure :: List.filter (fun f -> not (was_cancelled f)) before

let rec add g failure =
  let before = Atomic.get g in
  if not (Atomic.compare_and_set g before (with_failure failure before)) then add g failure

let check g = if has_failed g then raise_notrace Skipped

(* Runs a piece that must not be skipped. *)
let last_piece g f =
  match Failure.catch f with
  | Ok v -> v
  | Error failure ->
      add g failure;
      raise_notrace Skipped

(* Runs a piece, unless another has failed. *)
let piece g f =
  check g;
  last_piece g f

let create () : t = Atomic.make []

(* [finish g f] is [f ()], or raises the first failure among the pieces of [g]. *)
let finish g f =
  match f () with
  | v -> v
  | exception Skipped -> (
      match (List.rev (Atomic.get g) : Failure.t list) with
      | { exn = Enough; _ } :: _ -> raise_notrace Enough
      | first :: others -> Failure.raise_first first others
      | [] -> assert false (* [Skipped] is raised after a failure only *))

let run f =
  let g = create () in
  finish g (fun () -> f g)
