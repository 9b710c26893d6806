(* Error_group: the failures of pieces, latest first, which grow by compare-and-set. *)

type t = Failure.t list Atomic.t

exception Skipped of exn
exception Enough

let is_consequence = function Skipped _ | Enough | Token.Cancelled _ -> true | _ -> false
let reason = function Skipped reason | Token.Cancelled reason -> reason | exn -> exn

let with_failure (failure : Failure.t) = function
  | [] -> [ failure ]
  | before when is_consequence failure.exn || List.memq failure before -> before
  | [ { Failure.exn = Token.Cancelled _; _ } ] -> [ failure ]
  | before -> failure :: before

let add g failure = Shared.change g (with_failure failure)
let create () : t = Atomic.make []
let has_failed g = match Atomic.get g with [] -> false | _ :: _ -> true

let[@inline] check g =
  match Atomic.get g with
  | [] -> ()
  | (latest : Failure.t) :: _ -> raise_notrace (Skipped (reason latest.exn))

let piece g f =
  check g;
  match Failure.catch f with
  | Ok v -> v
  | Error failure ->
      add g failure;
      check g;
      assert false (* a piece has failed *)

let finish g f =
  match f () with
  | v -> v
  (* Not only [Skipped]: code that waits between two pieces is cancelled by the failure of a third. *)
  | exception ((Skipped _ | Token.Cancelled _) as exn) -> (
      let backtrace = Printexc.get_raw_backtrace () in
      match (List.rev (Atomic.get g) : Failure.t list) with
      | { exn = Enough; _ } :: _ -> raise_notrace Enough
      | first :: others -> Failure.raise_first first others
      | [] -> Printexc.raise_with_backtrace exn backtrace)

let fail g =
  finish g @@ fun () ->
  check g;
  assert false (* a piece has failed *)

let run f =
  let g = create () in
  finish g (fun () -> f g)
