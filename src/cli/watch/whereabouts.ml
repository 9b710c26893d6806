(* A ring holds what its domain has written last, so it says where one stands that has written nothing since: in a task
   of an hour, or parked. But collections write into the rings of all domains, and may have overwritten that. Then it is
   unknown until the domain writes, or until a worker says where all stand ([Standing]), once a second. *)

type knowledge =
  | Silent (* it has never said that it is a worker *)
  | Known
  | Lost (* what would tell was overwritten *)

(* What has begun, and when. *)
type opened = Event.t * int

type ring = {
  mutable knowledge : knowledge;
  mutable worker : int option;
  mutable within : opened list; (* innermost first *)
  mutable said : opened list option; (* what another has said it is in *)
  mutable is_exact : bool; (* [within] has the times from its domain *)
  mutable is_unknown : bool; (* and the listener knows *)
  mutable latest : int; (* when it was heard, or the start *)
}

type t = {
  start : int;
  listen : Event.listener;
  rings : (int, ring) Hashtbl.t;
  names : (int, opened list) Hashtbl.t; (* that tasks have begun which wait, by their wait *)
  mutable pools : int list; (* that are open *)
  mutable active : int option;
  mutable knows_drover : bool;
}

let create ~start listen =
  {
    start;
    listen;
    rings = Hashtbl.create 16;
    names = Hashtbl.create 16;
    pools = [];
    active = None;
    knows_drover = false;
  }

let knows_drover t = t.knows_drover

let ring t number =
  match Hashtbl.find_opt t.rings number with
  | Some r -> r
  | None ->
      let r =
        {
          knowledge = Silent;
          worker = None;
          within = [];
          said = None;
          is_exact = true;
          is_unknown = false;
          latest = t.start;
        }
      in
      Hashtbl.add t.rings number r;
      r

let within ~at : Event.standing -> opened list = function
  | Neither -> []
  | In_task -> [ (Task Begin, at) ]
  | Parked -> [ (Park Begin, at) ]

(* What the end of [begin_] leaves open: an end without a begin ends nothing. *)
let without begin_ opens =
  let rec behind = function
    | (o, _) :: rest -> if o = begin_ then rest else behind rest
    | [] -> opens
  in
  behind opens

let rec remove x = function y :: rest -> if x = y then rest else y :: remove x rest | [] -> []

(* What the innermost task has begun. *)
let names_of opens =
  let rec before_task = function
    | ((Event.Named _, _) as name) :: rest -> name :: before_task rest
    | _ -> []
  in
  before_task opens

(* What an event leads to. *)
let follow t number ~at (event : Event.t) =
  let r = ring t number in
  let is_in within =
    r.knowledge <- Known;
    r.is_exact <- true;
    r.within <- within
  in
  match event with
  | Program_begins | Program_ends | Begin _ | End _ | Unknown _ -> ()
  | Task Begin | Park Begin | Stand_by Begin | Named (_, Begin) -> is_in ((event, at) :: r.within)
  | Task End -> is_in (without (Event.Task Begin) r.within)
  | Park End -> is_in (without (Event.Park Begin) r.within)
  | Stand_by End -> is_in (without (Event.Stand_by Begin) r.within)
  | Named (name, End) -> is_in (without (Event.Named (name, Begin)) r.within)
  | Suspend wait ->
      let names = names_of r.within in
      if names <> [] then Hashtbl.replace t.names wait names
  | Resume wait ->
      let names = Option.value (Hashtbl.find_opt t.names wait) ~default:[] in
      Hashtbl.remove t.names wait;
      r.within <- names @ r.within
  | Worker id ->
      r.worker <- id;
      is_in []
  | Standing { ring = other; worker; state } ->
      let r = ring t other in
      r.worker <- Some worker;
      r.said <- Some (within ~at state)
  | Pool_open n -> t.pools <- n :: t.pools
  | Pool_close n -> t.pools <- remove n t.pools
  | Active n -> t.active <- Some n
  | Steal _ | Wait _ | Site _ | Batch _ | Loop _ | Loop_time _ | Unserved _ -> ()

let forget r =
  r.knowledge <- Lost;
  r.within <- []

let tell_known t number r ~at =
  if r.is_unknown then begin
    r.is_unknown <- false;
    t.listen ~ring:number ~at (Unknown End)
  end

(* [number]'s domain is in [r.within] at [at]. *)
let tell_ring listen number r ~at =
  Option.iter (fun id -> listen ~ring:number ~at (Event.Worker (Some id))) r.worker;
  List.iter (fun (event, _) -> listen ~ring:number ~at event) (List.rev r.within)

let believe r said =
  r.within <- said;
  r.is_exact <- false

let tell_unknown t number r ~at =
  r.is_unknown <- true;
  t.listen ~ring:number ~at (Unknown Begin)

let restate t ~at (listen : Event.listener) =
  List.iter (fun n -> listen ~ring:0 ~at (Pool_open n)) t.pools;
  Option.iter (fun n -> listen ~ring:0 ~at (Active n)) t.active;
  let tell number r =
    if r.is_unknown then listen ~ring:number ~at (Unknown Begin) else tell_ring listen number r ~at
  in
  Hashtbl.iter tell t.rings

(* Where anybody has said where all workers stand, those of whom nothing was said are none. *)
let conclude t =
  let is_said = Hashtbl.fold (fun _ r is_said -> is_said || r.said <> None) t.rings false in
  let conclude_ring _ r =
    match (r.knowledge, r.said) with
    | Known, _ -> ()
    | (Silent | Lost), Some said -> believe r said
    | Lost, None when not is_said -> r.is_unknown <- true
    | (Silent | Lost), None -> r.worker <- None
  in
  Hashtbl.iter conclude_ring t.rings

let note t : Event.t -> unit = function
  | Program_begins | Program_ends | Begin _ | End _ -> ()
  | _ -> t.knows_drover <- true

(* Whether its domain is in a task, parked, or neither, from then on. *)
let says_where : Event.t -> bool = function
  | Task _ | Park _ | Stand_by _ | Steal _ | Worker _ -> true
  | _ -> false

let hear t ~ring:number ~at (event : Event.t) =
  note t event;
  match event with
  | Standing { ring = other; worker; state } ->
      let r = ring t other in
      if r.is_unknown then begin
        r.worker <- Some worker;
        believe r (within ~at state);
        tell_known t other r ~at;
        tell_ring t.listen other r ~at
      end
  | _ ->
      let r = ring t number in
      r.latest <- Int.max r.latest at;
      follow t number ~at event;
      if says_where event then tell_known t number r ~at;
      t.listen ~ring:number ~at event

let lose t ~ring:number =
  let r = ring t number in
  forget r;
  tell_unknown t number r ~at:r.latest

let recall t read =
  let early = Queue.create () in
  let listen ~ring ~at event =
    note t event;
    if at < t.start then follow t ring ~at event else Queue.push (ring, at, event) early
  in
  read listen ~lost:(fun ~ring:number _ -> forget (ring t number));
  conclude t;
  restate t ~at:t.start t.listen;
  Queue.iter (fun (ring, at, event) -> hear t ~ring ~at event) early

(* Where they stand now *)

type place = Unknown | In_task of string option | Parked | Stands_by | Searches
type standing = { ring : int; place : place; since : int option; is_exact : bool }

(* Those of a pool that stand by are the last ones. *)
let should_stand_by t r =
  match (t.active, r.worker, t.pools) with
  | Some active, Some worker, [ size ] -> active < size && worker >= active
  | _ -> false

let name_of opens = match names_of opens with (Named (name, _), _) :: _ -> Some name | _ -> None

let standing t ring =
  match Hashtbl.find_opt t.rings ring with
  | None -> { ring; place = Unknown; since = None; is_exact = false }
  | Some { is_unknown = true; _ } -> { ring; place = Unknown; since = None; is_exact = false }
  | Some r ->
      let began event = List.assoc_opt event r.within in
      let task = began (Task Begin) and park = began (Park Begin) in
      let place, since =
        if task <> None then (In_task (name_of r.within), task)
        else if began (Stand_by Begin) <> None || should_stand_by t r then (Stands_by, None)
        else if park <> None then (Parked, park)
        else (Searches, None)
      in
      { ring; place; since; is_exact = r.is_exact }
