module E = Runtime_events

type standing = Neither | In_task | Parked

type t =
  | Program_begins
  | Program_ends
  | Begin of E.runtime_phase
  | End of E.runtime_phase
  | Task of E.Type.span
  | Park of E.Type.span
  | Stand_by of E.Type.span
  | Named of string * E.Type.span
  | Steal of int
  | Suspend of int
  | Resume of int
  | Wait of string
  | Site of string
  | Batch of int
  | Loop of int
  | Loop_time of int
  | Worker of int option
  | Pool_open of int
  | Pool_close of int
  | Active of int
  | Unserved of int
  | Standing of { ring : int; worker : int; state : standing }
  | Unknown of E.Type.span

type listener = ring:int -> at:int -> t -> unit

let ns at = Int64.to_int (E.Timestamp.to_int64 at)

(* What stands behind it. *)
let behind prefix s =
  if String.starts_with ~prefix s then
    Some (String.sub s (String.length prefix) (String.length s - String.length prefix))
  else None

let of_span name span =
  match name with
  | "drover.task" -> Some (Task span)
  | "drover.park" -> Some (Park span)
  | "drover.stand_by" -> Some (Stand_by span)
  | _ -> Option.map (fun called -> Named (called, span)) (behind "drover.name." name)

let of_unit name =
  match behind "drover.site." name with
  | Some site -> Some (Site site)
  | None -> Option.map (fun what -> Wait what) (behind "drover.wait." name)

(* See [Events.tell_standing]. *)
let standing n =
  let state = match n land 3 with 1 -> In_task | 2 -> Parked | _ -> Neither in
  Standing { ring = n lsr 16; worker = (n lsr 2) land 0x3fff; state }

let of_int name n =
  match name with
  | "drover.steal" -> Some (Steal n)
  | "drover.suspend" -> Some (Suspend n)
  | "drover.resume" -> Some (Resume n)
  | "drover.batch" -> Some (Batch n)
  | "drover.loop" -> Some (Loop n)
  | "drover.loop.time" -> Some (Loop_time n)
  | "drover.worker" -> Some (Worker (if n < 0 then None else Some n))
  | "drover.pool.open" -> Some (Pool_open n)
  | "drover.pool.close" -> Some (Pool_close n)
  | "drover.active" -> Some (Active n)
  | "drover.unserved" -> Some (Unserved n)
  | "drover.standing" -> Some (standing n)
  | _ -> None

let callbacks (listen : listener) ~lost =
  let user event_of ring at event value =
    Option.iter (listen ~ring ~at:(ns at)) (event_of (E.User.name event) value)
  in
  E.Callbacks.create
    ~runtime_begin:(fun ring at phase -> listen ~ring ~at:(ns at) (Begin phase))
    ~runtime_end:(fun ring at phase -> listen ~ring ~at:(ns at) (End phase))
    ~lifecycle:(fun ring at stage _ ->
      match stage with
      | EV_RING_START -> listen ~ring ~at:(ns at) Program_begins
      | EV_RING_STOP -> listen ~ring ~at:(ns at) Program_ends
      | _ -> ())
    ~lost_events:(fun ring words -> lost ~ring words)
    ()
  |> E.Callbacks.add_user_event E.Type.span (user of_span)
  |> E.Callbacks.add_user_event E.Type.int (user of_int)
  |> E.Callbacks.add_user_event E.Type.unit (user (fun name () -> of_unit name))
