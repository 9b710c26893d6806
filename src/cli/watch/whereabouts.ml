(* A ring holds what its domain has written last, so it says where one stands that has written nothing since: in a task
   of an hour, or parked. But collections write into the rings of all domains, and may have overwritten that. Then it is
   unknown until the domain writes, or until a worker says where all stand ([Standing]), once a second. *)

type knowledge =
  | Silent (* it has never said that it is a worker *)
  | Known
  | Lost (* what would tell was overwritten *)

type ring = {
  mutable knowledge : knowledge;
  mutable worker : int option;
  mutable within : Event.t list; (* what has begun, innermost first *)
  mutable said : Event.t list option; (* what another has said it is in *)
  mutable is_unknown : bool; (* and the listener knows *)
  mutable latest : int; (* when it was heard, or the start *)
}

type t = {
  start : int;
  listen : Event.listener;
  rings : (int, ring) Hashtbl.t;
  mutable pools : int list; (* that are open *)
  mutable active : int option;
  mutable knows_drover : bool;
}

let create ~start listen =
  { start; listen; rings = Hashtbl.create 16; pools = []; active = None; knows_drover = false }

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
          is_unknown = false;
          latest = t.start;
        }
      in
      Hashtbl.add t.rings number r;
      r

let within : Event.standing -> Event.t list = function
  | Neither -> []
  | In_task -> [ Task Begin ]
  | Parked -> [ Park Begin ]

(* What the end of [begin_] leaves open: an end without a begin ends nothing. *)
let without begin_ opens =
  let rec behind = function o :: rest -> if o = begin_ then rest else behind rest | [] -> opens in
  behind opens

let rec remove x = function y :: rest -> if x = y then rest else y :: remove x rest | [] -> []

(* What an event from before says. *)
let remember t number (event : Event.t) =
  let r = ring t number in
  let is_in within =
    r.knowledge <- Known;
    r.within <- within
  in
  match event with
  | Program_begins | Program_ends | Begin _ | End _ | Unknown _ -> ()
  | Task Begin | Park Begin | Stand_by Begin | Named (_, Begin) -> is_in (event :: r.within)
  | Task End -> is_in (without (Event.Task Begin) r.within)
  | Park End -> is_in (without (Event.Park Begin) r.within)
  | Stand_by End -> is_in (without (Event.Stand_by Begin) r.within)
  | Named (name, End) -> is_in (without (Event.Named (name, Begin)) r.within)
  | Worker id ->
      r.worker <- id;
      is_in []
  | Standing { ring = other; worker; state } ->
      let r = ring t other in
      r.worker <- Some worker;
      r.said <- Some (within state)
  | Pool_open n -> t.pools <- n :: t.pools
  | Pool_close n -> t.pools <- remove n t.pools
  | Active n -> t.active <- Some n
  | Steal _ | Suspend _ | Resume _ | Wait _ | Site _ | Batch _ | Loop _ | Loop_time _ | Unserved _
    ->
      ()

let forget r =
  r.knowledge <- Lost;
  r.within <- []

let tell_known t number r ~at =
  if r.is_unknown then begin
    r.is_unknown <- false;
    t.listen ~ring:number ~at (Unknown End)
  end

(* [number]'s domain is in [within] from [at] on. *)
let tell t number r ~at within =
  tell_known t number r ~at;
  let tell_worker id = t.listen ~ring:number ~at (Worker (Some id)) in
  Option.iter tell_worker r.worker;
  List.iter (t.listen ~ring:number ~at) (List.rev within)

let tell_unknown t number r ~at =
  r.is_unknown <- true;
  t.listen ~ring:number ~at (Unknown Begin)

(* Where anybody has said where all workers stand, those of whom nothing was said are none. *)
let tell_all t =
  let at = t.start in
  let is_said = Hashtbl.fold (fun _ r is_said -> is_said || r.said <> None) t.rings false in
  List.iter (fun n -> t.listen ~ring:0 ~at (Pool_open n)) t.pools;
  Option.iter (fun n -> t.listen ~ring:0 ~at (Active n)) t.active;
  let tell_ring number r =
    match (r.knowledge, r.said) with
    | Known, _ -> tell t number r ~at r.within
    | (Silent | Lost), Some within -> tell t number r ~at within
    | Lost, None when not is_said -> tell_unknown t number r ~at
    | (Silent | Lost), None -> ()
  in
  Hashtbl.iter tell_ring t.rings

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
        tell t other r ~at (within state)
      end
  | _ ->
      let r = ring t number in
      r.latest <- Int.max r.latest at;
      if says_where event then tell_known t number r ~at;
      t.listen ~ring:number ~at event

let lose t ~ring:number =
  let r = ring t number in
  tell_unknown t number r ~at:r.latest

let recall t read =
  let early = Queue.create () in
  let listen ~ring ~at event =
    note t event;
    if at < t.start then remember t ring event else Queue.push (ring, at, event) early
  in
  read listen ~lost:(fun ~ring:number _ -> forget (ring t number));
  tell_all t;
  Queue.iter (fun (ring, at, event) -> hear t ~ring ~at event) early
