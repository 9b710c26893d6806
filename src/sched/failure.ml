(* Failure: an exception that ended a task, with its backtrace, and whether anybody was told of it.

   The failure of a task that nobody awaits is reported when it is collected or when its pool
   closes. The finaliser is on the failure, not on the promise: a task that succeeds pays
   nothing. *)

type t = { exn : exn; backtrace : Printexc.raw_backtrace; mutable seen : bool }

(* Comes first in a handler. *)
let[@inline] caught exn = { exn; backtrace = Printexc.get_raw_backtrace (); seen = false }

(* The one place that catches what a user's function raises, to raise it elsewhere. *)
let[@inline] catch f =
  (* [Ok] is inside, so that a signal's handler that raises when it is allocated is caught too. *)
  try Ok (f ()) with exn -> Error (caught exn)

let raise f =
  f.seen <- true;
  Printexc.raise_with_backtrace f.exn f.backtrace

let[@inline] get = function Ok v -> v | Error f -> raise f

let report_to =
  Atomic.make (fun exn (_ : Printexc.raw_backtrace) ->
      Printf.eprintf "Drover: a task that nobody awaited raised %s\n%!" (Printexc.to_string exn))

(* Runs in a finaliser or in [close], whose callers have nothing to do with what the user's function
   raises. *)
let report f =
  if not f.seen then begin
    f.seen <- true;
    try (Atomic.get report_to) f.exn f.backtrace with _ -> ()
  end

(* The unseen failures of a pool. Those that were seen or collected are cleared away when the list
   has doubled since it was last cleared. *)
type entries = { pointers : t Weak.t list; length : int; cleared_at : int }
type log = entries Atomic.t

let empty = { pointers = []; length = 0; cleared_at = 16 }
let create_log () = Atomic.make empty
let is_unseen pointer = match Weak.get pointer 0 with Some f -> not f.seen | None -> false

let clear entries =
  let pointers = List.filter is_unseen entries.pointers in
  let length = List.length pointers in
  { pointers; length; cleared_at = Int.max 16 length }

let rec add log pointer =
  let before = Atomic.get log in
  let entries = if before.length >= 2 * before.cleared_at then clear before else before in
  let after =
    { entries with pointers = pointer :: entries.pointers; length = entries.length + 1 }
  in
  if not (Atomic.compare_and_set log before after) then add log pointer

let watch log f =
  Gc.finalise report f;
  let pointer = Weak.create 1 in
  Weak.set pointer 0 (Some f);
  add log pointer

let report_all log =
  let { pointers; _ } = Atomic.exchange log empty in
  List.iter (fun pointer -> Option.iter report (Weak.get pointer 0)) (List.rev pointers)

(* Failures that came together: the one that was raised carries the others. They are found by the
   exception itself, as long as it is alive and among the latest. An exception without arguments is
   always the same value, so what it carries is bounded. *)

type attached = (exn, (exn * Printexc.raw_backtrace) list) Ephemeron.K1.t

let attachments : attached list Atomic.t = Atomic.make []
let latest = 64

let find exn attachments =
  let found = List.find_map (fun e -> Ephemeron.K1.query e exn) attachments in
  Option.value found ~default:[]

let attached exn = find exn (Atomic.get attachments)

let rec attach exn others =
  let before = Atomic.get attachments in
  let others_of_it = List.take latest (find exn before @ others) in
  let is_other e = Option.is_none (Ephemeron.K1.query e exn) in
  let after = Ephemeron.K1.make exn others_of_it :: List.filter is_other before in
  if not (Atomic.compare_and_set attachments before (List.take latest after)) then attach exn others

(* Raises the first of several, which carries the others with what they carry themselves. *)
let raise_first first others =
  let with_others f =
    f.seen <- true;
    (f.exn, f.backtrace) :: attached f.exn
  in
  let others = List.concat_map with_others others in
  let others = List.filter (fun (exn, _) -> exn != first.exn) others in
  if others <> [] then attach first.exn others;
  raise first
