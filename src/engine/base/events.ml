(* Events: registered when the program begins, those of names when these are first used. *)

module E = Runtime_events

type E.User.tag += Drover

let register name ty = E.User.register ("drover." ^ name) Drover ty
let task = register "task" E.Type.span
let park = register "park" E.Type.span
let stand_by = register "stand_by" E.Type.span
let steal = register "steal" E.Type.int
let suspend = register "suspend" E.Type.int
let resume = register "resume" E.Type.int
let batch = register "batch" E.Type.int
let loop = register "loop" E.Type.int
let loop_time = register "loop.time" E.Type.int
let worker = register "worker" E.Type.int
let pool_open = register "pool.open" E.Type.int
let pool_close = register "pool.close" E.Type.int
let active = register "active" E.Type.int
let unserved = register "unserved" E.Type.int
let standing = register "standing" E.Type.int
let nobody = -1
let[@inline] tell event n = E.User.write event n
let largest = 0x7fff_ffff

let rec tell_time event n =
  tell event (Int.min n largest);
  if n > largest then tell_time event (n - largest)

type standing = Neither | In_task | Parked

let tell_standing ~ring ~worker state =
  let state = match state with Neither -> 0 | In_task -> 1 | Parked -> 2 in
  tell standing ((ring lsl 16) lor (worker lsl 2) lor state)

let taken = Atomic.make 0

(* The numbers begin again after 2^31, so only a wait that lasts that long may share its number. *)
let[@inline] wait_after n =
  let next = n + 1 and some = 64 in
  if next mod some = 0 then Atomic.fetch_and_add taken some land largest else next

let during event f =
  E.User.write event E.Type.Begin;
  Failure.finally (fun () -> E.User.write event E.Type.End) f

module Names = Map.Make (String)

(* Events that a text names, registered when it is first told: those of one prefix. *)
type 'a texts = { prefix : string; ty : 'a E.Type.t; known : 'a E.User.t Names.t Atomic.t }

let others = "others"

let texts prefix ty =
  { prefix; ty; known = Atomic.make (Names.singleton others (register (prefix ^ others) ty)) }

(* Of two that come with a new text, one is first; what the other has registered is not used. *)
let rec named_by texts text =
  let known = Atomic.get texts.known in
  match Names.find_opt text known with
  | Some event -> event
  | None when Names.cardinal known > 1000 -> named_by texts others
  | None ->
      let name = texts.prefix ^ String.sub text 0 (Int.min 100 (String.length text)) in
      let event = register name texts.ty in
      ignore (Atomic.compare_and_set texts.known known (Names.add text event known) : bool);
      named_by texts text

let names = texts "name." E.Type.span
let named name f = during (named_by names name) f
let sites = texts "site." E.Type.unit
let site = named_by sites
let waits = texts "wait." E.Type.unit
let wait = named_by waits
