(* Gather: several pieces of one piece of work, that fail together.

   The first failure wins, and pieces that have not started then are skipped. The pieces are joined
   by [both], which waits for all that have started; what they raise to each other says only that
   there is a failure. *)

type t = Failure.t option Atomic.t

exception Skipped

let has_failed g = Option.is_some (Atomic.get g)
let check g = if has_failed g then raise_notrace Skipped

(* Runs a piece that must not be skipped. *)
let last_piece g f =
  match Failure.catch f with
  | Ok v -> v
  | Error failure ->
      ignore (Atomic.compare_and_set g None (Some failure) : bool);
      raise_notrace Skipped

(* Runs a piece, unless another has failed. *)
let piece g f =
  check g;
  last_piece g f

(* [run f] is [f g], or raises the first failure among the pieces of [g]. *)
let run f =
  let g = Atomic.make None in
  match f g with
  | v -> v
  | exception Skipped -> (
      match Atomic.get g with
      | Some failure -> Failure.raise failure
      | None -> assert false (* [Skipped] is raised after a failure only *))
