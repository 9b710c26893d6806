(* Each block is stat's figures of one interval: an account that begins with what is open. *)

open Drover_show
open Drover_watch

type t = {
  pid : int;
  mutable account : Account.t;
  mutable machine : Contention.t;
  mutable before : Watch.outcome option; (* as of the block before *)
}

let create pid = { pid; account = Account.create (); machine = Contention.start (); before = None }
let listen t ~ring ~at event = Account.listen t.account ~ring ~at event

let seconds_since t (outcome : Watch.outcome) =
  outcome.seconds -. Option.fold t.before ~none:0. ~some:(fun (o : Watch.outcome) -> o.seconds)

(* Of what happened between two. *)
let difference (a : Watch.outcome) (b : Watch.outcome) =
  { b with seconds = b.seconds -. a.seconds; cpu = b.cpu -. a.cpu; lost = b.lost - a.lost }

type block = {
  figures : Figures.t;
  others : float option; (* processors that other programs used *)
  standing : int -> Whereabouts.standing;
  at : int;
}

let cut t whereabouts ~at (outcome : Watch.outcome) =
  listen t ~ring:0 ~at Program_ends;
  let idle = Contention.idle t.machine in
  let since = Option.fold t.before ~none:outcome ~some:(fun before -> difference before outcome) in
  let figures = Figures.make t.account { since with idle } in
  let others idle =
    let offered = since.seconds *. float (Domain.recommended_domain_count ()) in
    Float.max 0. ((offered -. idle -. since.cpu) /. since.seconds)
  in
  t.account <- Account.create ();
  t.machine <- Contention.start ();
  t.before <- Some outcome;
  listen t ~ring:0 ~at Program_begins;
  Whereabouts.restate whereabouts ~at (listen t);
  { figures; others = Option.map others idle; standing = Whereabouts.standing whereabouts; at }

(* What is shown *)

let place (s : Whereabouts.standing) =
  match s.place with
  | Unknown -> Print.unknown
  | In_task (Some name) -> "in a task: " ^ name
  | In_task None -> "in a task"
  | Parked -> "parked: no work"
  | Stands_by -> "stands by"
  | Searches -> "looks for work"

let time ~at (s : Whereabouts.standing) =
  let text since = Show.seconds (float (at - since) *. 1e-9) in
  match s.since with
  | None -> ""
  | Some since when s.is_exact -> text since
  | Some since -> text since ^ " or more"

(* That of stat has the shares behind the name. *)
let table { figures; standing; at; _ } : Table.t =
  let insert cells row = (List.hd row :: cells) @ List.take 3 (List.tl row) in
  let cells (w : Figures.worker) =
    let s = standing w.ring in
    [ place s; time ~at s ]
  in
  let domains = Print.table figures in
  {
    domains with
    header = insert [ "now"; "for" ] domains.header;
    rows = List.map2 insert (List.map cells figures.workers) domains.rows;
  }

(* Those of stat's that say something of so short a time. *)
let shown =
  [
    "processor time";
    "utilisation";
    "tasks";
    "suspensions";
    "waiting for processors";
    "batches";
    "minor collections";
    "collecting";
    "largest pause";
  ]

let rows { figures; others; _ } =
  let is_shown (_, what, _) = List.mem what shown in
  (* How long a turn is that goes on stands in the table. *)
  let adapt = function n, "tasks", _ -> (n, "tasks", "begun or under way") | row -> row in
  let processors = string_of_int (Domain.recommended_domain_count ()) in
  let of_others n = (Show.digits n, "processors of others", "of " ^ processors) in
  List.map adapt (List.filter is_shown (Print.rows figures))
  @ Option.to_list (Option.map of_others others)

let pp t ppf block =
  Summary.title ppf (Process.name t.pid);
  Summary.rows ppf (rows block);
  Fmt.pf ppf "@.";
  if block.figures.uses_drover then Table.pp ppf (table block);
  Summary.warnings ppf (Print.warnings block.figures)
