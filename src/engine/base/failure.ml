(* Failure.

   The failure of a task that nobody awaits is reported when it is collected or when its pool
   closes. The finaliser is on the failure, not on the promise: a task that succeeds pays
   nothing.

   There are no weak pointers and no ephemerons here: the collector of OCaml 5.4, though not of 5.5,
   may free what those of a domain that ends refer to (ocaml/ocaml#14718). *)

type t = { exn : exn; backtrace : Printexc.raw_backtrace; seen : bool ref }

(* In the handler of an exception others wait for an end, and the first allocation there may be where a
   signal's handler raises: then what that raised is the failure. So neither of these raises; and
   [Ok] stands inside of [catch]'s handler. *)

let rec caught exn =
  let backtrace = Printexc.get_raw_backtrace () in
  try { exn; backtrace; seen = ref false } with late -> caught late

let rec error exn =
  let backtrace = Printexc.get_raw_backtrace () in
  try Error { exn; backtrace; seen = ref false } with late -> error late

let[@inline] catch f = try Ok (f ()) with exn -> error exn
let none = { exn = Exit; backtrace = Printexc.get_callstack 0; seen = ref true }

let raise f =
  f.seen := true;
  Printexc.raise_with_backtrace f.exn f.backtrace

let raise_after finish x exn =
  let backtrace = Printexc.get_raw_backtrace () in
  finish x;
  Printexc.raise_with_backtrace exn backtrace

let finally finish f =
  match f () with
  | v ->
      finish ();
      v
  | exception exn -> raise_after finish () exn

let[@inline] get = function Ok v -> v | Error f -> raise f

let report_to =
  Atomic.make (fun exn backtrace ->
      Printf.eprintf "Drover: a task that nobody awaited raised %s\n%s%!" (Printexc.to_string exn)
        (Printexc.raw_backtrace_to_string backtrace))

(* Runs in a finaliser or in [close], whose callers have nothing to do with what the user's function
   raises. *)
let report f =
  if not !(f.seen) then begin
    f.seen := true;
    try (Atomic.get report_to) f.exn f.backtrace with _ -> ()
  end

(* The unseen failures of a pool. An entry has a copy of the failure, until that is collected; the
   two share [seen]. What was seen or collected need not stay. *)
type entry = { mutable copy : t option }
type log = entry Shared.Register.t Atomic.t

let create_log () = Atomic.make Shared.Register.empty

let report_entry entry =
  Option.iter report entry.copy;
  entry.copy <- None

let note log f =
  let entry = { copy = Some { f with seen = f.seen } } in
  let is_unseen e = match e.copy with Some f -> not !(f.seen) | None -> false in
  Gc.finalise (fun _ -> report_entry entry) f;
  Shared.change log (fun entries -> Shared.Register.add ~still:is_unseen entries entry)

let report_all log =
  let entries = Atomic.exchange log Shared.Register.empty in
  List.iter report_entry (List.rev entries.members)

(* Failures that came together: the one that was raised carries the others. They are found by the
   exception itself, as long as it is among the latest. An exception without arguments is always the
   same value, so what it carries is bounded: what came first goes. *)

type attached = { raised : exn; others : (exn * Printexc.raw_backtrace) list (* oldest first *) }

let attachments : attached list Atomic.t = Atomic.make []
let latest = 64

let attached exn =
  match List.find_opt (fun a -> a.raised == exn) (Atomic.get attachments) with
  | Some a -> a.others
  | None -> []

let raise_first first others =
  let with_others f =
    f.seen := true;
    (f.exn, f.backtrace) :: attached f.exn
  in
  let others = List.concat_map with_others others in
  let others = List.filter (fun (exn, _) -> exn != first.exn) others in
  if others <> [] then
    Shared.change attachments (fun before ->
        let same, different = List.partition (fun a -> a.raised == first.exn) before in
        let others = List.concat_map (fun a -> a.others) same @ others in
        let others = List.drop (List.length others - latest) others in
        List.take latest ({ raised = first.exn; others } :: different));
  raise first
