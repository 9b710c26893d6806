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

let named_event name = register ("name." ^ name) E.Type.span
let others = "others"
let names = Atomic.make (Names.singleton others (named_event others))

(* Of two that come with a new name, one is first; what the other has registered is not used. *)
let rec named name f =
  let known = Atomic.get names in
  match Names.find_opt name known with
  | Some event -> during event f
  | None when Names.cardinal known > 1000 -> named others f
  | None ->
      let event = named_event (String.sub name 0 (Int.min 100 (String.length name))) in
      ignore (Atomic.compare_and_set names known (Names.add name event known) : bool);
      named name f
