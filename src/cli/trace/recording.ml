open Drover_watch
module E = Runtime_events

type kind = Task | Named | Collection | Park | Stand_by | Unknown

(* What a task is called, [task] if by nothing yet, where it was started, if that was told, and the wait after which it
   goes on, as long as nobody has told who waited there: the events of different rings come in any order. *)
type calling = { name : string; site : string option; after : int option }
type slice = { ring : int; kind : kind; calling : calling; start : int; finish : int }

type happening =
  | Steal of int
  | Batch of int
  | Suspend of { wait : int; what : string (* it waits for, or "" *) }
  | Resume of int
  | Active of int
  | Unserved of int

type mark = { ring : int; at : int; happening : happening }

(* What is open on a ring, innermost first. *)
type open_ = { kind : kind; calling : calling; since : int }

type t = {
  slices : slice Dynarray.t;
  marks : mark Dynarray.t;
  rings : (int, open_ list) Hashtbl.t;
  workers : (int, int) Hashtbl.t; (* by ring *)
  waits : (int, calling) Hashtbl.t; (* of those that wait *)
  next_waits : (int, string) Hashtbl.t; (* what the next one of a ring is for *)
  mutable dropped : int;
  mutable first : int; (* when the program began, or the reader *)
  mutable last : int;
}

let create () =
  {
    slices = Dynarray.create ();
    marks = Dynarray.create ();
    rings = Hashtbl.create 16;
    workers = Hashtbl.create 16;
    waits = Hashtbl.create 64;
    next_waits = Hashtbl.create 16;
    dropped = 0;
    first = max_int;
    last = 0;
  }

(* More than that no viewer shows with pleasure. *)
let most = 2_000_000

(* The collector's phases that are shorter cannot be seen, and there may be thousands. In ns. *)
let least_phase = 1_000

let keep t add =
  if Dynarray.length t.slices + Dynarray.length t.marks < most then add ()
  else t.dropped <- t.dropped + 1

let open_on t ring = Option.value (Hashtbl.find_opt t.rings ring) ~default:[]

let begins t ring at kind name =
  let calling = { name; site = None; after = None } in
  Hashtbl.replace t.rings ring ({ kind; calling; since = at } :: open_on t ring)

let close t ring at { kind; calling; since } =
  if kind <> Collection || at - since >= least_phase then
    keep t (fun () ->
        Dynarray.add_last t.slices { ring; kind; calling; start = since; finish = at })

let task = "task"

(* What is known by now. *)
let rec known t calling =
  match Option.bind calling.after (Hashtbl.find_opt t.waits) with
  | None -> calling
  | Some before ->
      let before = known t before in
      {
        name = (if before.name = task then calling.name else before.name);
        site = (if before.site = None then calling.site else before.site);
        after = before.after;
      }

(* [None], or where it was started. *)
let site t (slice : slice) =
  match (known t slice.calling).site with Some "" | None -> None | Some _ as site -> site

let name t (slice : slice) =
  let { name; _ } = known t slice.calling in
  match site t slice with Some site when name = task -> task ^ ": " ^ site | _ -> name

let rec in_task change = function
  | ({ kind = Task; calling; _ } as o) :: rest -> { o with calling = change calling } :: rest
  | o :: rest -> o :: in_task change rest
  | [] -> []

let change_task t ring change = Hashtbl.replace t.rings ring (in_task change (open_on t ring))

(* A task is called by the first name that is begun in it, also after it has waited. *)
let call_task t ring name =
  change_task t ring (fun calling ->
      if calling.name = task then { calling with name = task ^ ": " ^ name } else calling)

(* What begins on top of a task tells its site, too, later. *)
let tell_site t ring site =
  change_task t ring (fun calling ->
      if calling.site = None then { calling with site = Some site } else calling)

let suspends t ring wait =
  change_task t ring (fun calling ->
      let calling = known t calling in
      Hashtbl.replace t.waits wait calling;
      calling)

let resumes t ring wait =
  change_task t ring (fun calling ->
      let calling = known t { calling with after = Some wait } in
      if calling.after <> Some wait then Hashtbl.remove t.waits wait;
      calling)

(* Ends the innermost open slice of that name, and what is inside it: a task that waits leaves the
   names open that it is in. An end without a begin counts for nothing. *)
let ends t ring at kind name =
  let is_it o = o.kind = kind && (kind = Task || o.calling.name = name) in
  let rec pop = function
    | o :: rest ->
        close t ring at o;
        if is_it o then rest else pop rest
    | [] -> []
  in
  let opens = open_on t ring in
  if List.exists is_it opens then Hashtbl.replace t.rings ring (pop opens)

let span t ring at kind name : E.Type.span -> unit = function
  | Begin -> begins t ring at kind name
  | End -> ends t ring at kind name

let mark t ring at happening = keep t (fun () -> Dynarray.add_last t.marks { ring; at; happening })

(* A program may end in the middle of anything. *)
let end_all t at =
  t.last <- Int.max t.last at;
  Hashtbl.iter (fun ring opens -> List.iter (close t ring at) opens) t.rings;
  Hashtbl.reset t.rings

let listen t ~ring ~at (event : Event.t) =
  match event with
  | Program_begins -> t.first <- Int.min t.first at
  | Program_ends -> end_all t at
  | (Begin phase | End phase) when not (Pause.holds_up phase) -> ()
  | Begin phase -> begins t ring at Collection (E.runtime_phase_name phase)
  | End phase -> ends t ring at Collection (E.runtime_phase_name phase)
  | Task s -> span t ring at Task task s
  | Park s -> span t ring at Park "park" s
  | Stand_by s -> span t ring at Stand_by "stand by" s
  | Unknown Begin ->
      List.iter (close t ring at) (open_on t ring);
      Hashtbl.remove t.rings ring;
      begins t ring at Unknown "unknown"
  | Unknown End -> ends t ring at Unknown "unknown"
  | Named (name, s) ->
      if s = Begin then call_task t ring name;
      span t ring at Named name s
  | Steal victim -> mark t ring at (Steal victim)
  | Batch size -> mark t ring at (Batch size)
  | Suspend wait ->
      let what = Option.value (Hashtbl.find_opt t.next_waits ring) ~default:"" in
      Hashtbl.remove t.next_waits ring;
      suspends t ring wait;
      mark t ring at (Suspend { wait; what })
  | Resume wait ->
      resumes t ring wait;
      mark t ring at (Resume wait)
  | Active workers -> mark t ring at (Active workers)
  | Unserved time -> mark t ring at (Unserved time)
  | Worker (Some id) -> Hashtbl.replace t.workers ring id
  | Site site -> tell_site t ring site
  | Wait what -> Hashtbl.replace t.next_waits ring what
  | Worker None | Pool_open _ | Pool_close _ | Loop _ | Loop_time _ | Standing _ -> ()

let on_lost t ring =
  Hashtbl.remove t.rings ring;
  Hashtbl.remove t.next_waits ring

let origin t =
  let first = Dynarray.fold_left (fun m (s : slice) -> Int.min m s.start) t.first t.slices in
  Dynarray.fold_left (fun m mark -> Int.min m mark.at) first t.marks

let finish t = Dynarray.fold_left (fun m (s : slice) -> Int.max m s.finish) t.last t.slices

let rings t =
  let seen = Hashtbl.create 16 in
  Dynarray.iter (fun (s : slice) -> Hashtbl.replace seen s.ring ()) t.slices;
  Dynarray.iter (fun (m : mark) -> Hashtbl.replace seen m.ring ()) t.marks;
  List.sort Int.compare (Hashtbl.fold (fun ring () all -> ring :: all) seen [])

(* Of a program that ran before, the number of a worker may not be known. *)
let workers t =
  let workers = Hashtbl.create 16 in
  Hashtbl.iter (fun ring _ -> Hashtbl.replace workers ring ()) t.workers;
  let add (s : slice) =
    match s.kind with
    | Task | Park | Stand_by | Unknown -> Hashtbl.replace workers s.ring ()
    | Named | Collection -> ()
  in
  Dynarray.iter add t.slices;
  workers

let title t ring =
  match Hashtbl.find_opt t.workers ring with
  | Some id -> Printf.sprintf "domain %d (worker %d)" ring id
  | None -> Printf.sprintf "domain %d" ring
