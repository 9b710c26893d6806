(* A task takes the calls that it is in along when it waits, and has them again where it goes on: so they are those of
   its ring while it has a turn, and otherwise of the wait.

   The rings are read one after the other, so their events come in any order, but for those of a ring. They lie in a
   queue by their times until none from before can come. *)

open Drover_watch

type call = { name : string; since : int }

type part = {
  mutable calls : int;
  mutable total : int;
  mutable longest : int;
  mutable opens : int; (* how many calls are open *)
  mutable since : int; (* when the first of them began *)
  mutable work_before : int;
  mutable elapsed : int;
  mutable work : int;
}

type ring = {
  mutable outside : call list; (* innermost first, as all of these *)
  mutable task : call list option;
  mutable is_worker : bool;
}

type heard = { at : int; order : int; ring : int; event : Event.t }

module Queue = Pqueue.MakeMin (struct
  type t = heard

  let compare a b =
    match Int.compare a.at b.at with 0 -> Int.compare a.order b.order | order -> order
end)

type t = {
  queue : Queue.t;
  mutable order : int;
  mutable latest : int;
  rings : (int, ring) Hashtbl.t;
  waits : (int, call list) Hashtbl.t;
  parts : (string, part) Hashtbl.t;
  mutable working : int; (* how many domains are at work *)
  mutable work : int; (* their time, up to [now] *)
  mutable now : int;
}

let create () =
  {
    queue = Queue.create ();
    order = 0;
    latest = 0;
    rings = Hashtbl.create 16;
    waits = Hashtbl.create 64;
    parts = Hashtbl.create 16;
    working = 0;
    work = 0;
    now = 0;
  }

let ring t number =
  match Hashtbl.find_opt t.rings number with
  | Some r -> r
  | None ->
      let r = { outside = []; task = None; is_worker = false } in
      Hashtbl.add t.rings number r;
      r

let part t name =
  match Hashtbl.find_opt t.parts name with
  | Some part -> part
  | None ->
      let part =
        {
          calls = 0;
          total = 0;
          longest = 0;
          opens = 0;
          since = 0;
          work_before = 0;
          elapsed = 0;
          work = 0;
        }
      in
      Hashtbl.add t.parts name part;
      part

let begin_call t name =
  let part = part t name in
  if part.opens = 0 then begin
    part.since <- t.now;
    part.work_before <- t.work
  end;
  part.opens <- part.opens + 1;
  { name; since = t.now }

let end_call t ({ name; since } : call) =
  let part = part t name and length = t.now - since in
  part.calls <- part.calls + 1;
  part.total <- part.total + length;
  part.longest <- Int.max part.longest length;
  part.opens <- part.opens - 1;
  if part.opens = 0 then begin
    part.elapsed <- part.elapsed + t.now - part.since;
    part.work <- part.work + t.work - part.work_before
  end

(* Ends the innermost of that name, and what is inside it. *)
let end_named t name calls =
  let rec pop = function
    | call :: rest ->
        end_call t call;
        if call.name = name then rest else pop rest
    | [] -> []
  in
  if List.exists (fun call -> call.name = name) calls then pop calls else calls

let end_task t r =
  List.iter (end_call t) (Option.value r.task ~default:[]);
  r.task <- None

let is_at_work r = Option.is_some r.task || (r.outside <> [] && not r.is_worker)

let change t r : Event.t -> unit = function
  | Worker id -> r.is_worker <- Option.is_some id
  | Task Begin ->
      end_task t r;
      r.task <- Some []
  | Task End -> end_task t r
  | Suspend wait when Option.is_some r.task ->
      Hashtbl.replace t.waits wait (Option.get r.task);
      r.task <- Some []
  | Resume wait ->
      let calls = Option.value (Hashtbl.find_opt t.waits wait) ~default:[] in
      Hashtbl.remove t.waits wait;
      r.task <- Some (calls @ Option.value r.task ~default:[])
  | Named (name, Begin) -> (
      let call = begin_call t name in
      match r.task with
      | Some calls -> r.task <- Some (call :: calls)
      | None -> r.outside <- call :: r.outside)
  | Named (name, End) -> (
      match r.task with
      | Some calls -> r.task <- Some (end_named t name calls)
      | None -> r.outside <- end_named t name r.outside)
  | Unknown Begin ->
      end_task t r;
      List.iter (end_call t) r.outside;
      r.outside <- []
  | _ -> ()

let apply t { at; ring = number; event; _ } =
  t.work <- t.work + (t.working * (at - t.now));
  t.now <- at;
  let r = ring t number in
  let was_at_work = is_at_work r in
  change t r event;
  t.working <- t.working + Bool.to_int (is_at_work r) - Bool.to_int was_at_work

(* In ns: more than lies between two looks. *)
let late = 1_000_000_000

let rec apply_until t at =
  match Queue.min_elt t.queue with
  | Some heard when heard.at <= at ->
      Queue.remove_min t.queue;
      apply t heard;
      apply_until t at
  | _ -> ()

let listen t ~ring ~at (event : Event.t) =
  match event with
  | Worker _ | Task _ | Suspend _ | Resume _ | Named _ | Unknown Begin ->
      t.latest <- Int.max t.latest at;
      t.order <- t.order + 1;
      Queue.add t.queue { at; order = t.order; ring; event };
      apply_until t (t.latest - late)
  | _ -> ()

let lose t ring = listen t ~ring ~at:t.latest (Unknown Begin)

let finish t ~at =
  apply_until t max_int;
  let at = Int.max at t.now in
  let end_ring ring _ = apply t { at; order = 0; ring; event = Unknown Begin } in
  Hashtbl.iter end_ring t.rings;
  Hashtbl.iter (fun _ calls -> List.iter (end_call t) calls) t.waits;
  Hashtbl.reset t.waits

type figures = {
  name : string;
  calls : int;
  total : float;
  longest : float;
  elapsed : float;
  workers : float;
}

let figures t =
  let seconds ns = float ns *. 1e-9 in
  let add name (p : part) all =
    {
      name;
      calls = p.calls;
      total = seconds p.total;
      longest = seconds p.longest;
      elapsed = seconds p.elapsed;
      workers = float p.work /. float (Int.max 1 p.elapsed);
    }
    :: all
  in
  Hashtbl.fold add t.parts [] |> List.sort (fun a b -> Float.compare b.total a.total)
