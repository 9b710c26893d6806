(* Events: what the scheduler tells whoever listens, as user events of OCaml's Runtime_events.

   Writing one while nobody listens is a call into the runtime that looks at a flag. So events mark
   what happens once a task, a steal or a wait, and never a fork that its own worker runs, nor a
   task that begins on top of the one that awaits it. All are of the runtime's own types: any
   consumer can read them by their names.

   A ring belongs to a domain, and a domain is one worker at a time, so on one ring

   worker id (task Begin .. (suspend w | batch n)* .. task End | steal | park Begin .. park End)*
   worker -1

   and [resume w], the first event of the task that goes on after [suspend w], perhaps on another
   ring. A batch of an object that is timed is (batch.wait+)? batch .. batch.run+, of which the last
   may be on another ring too. *)

module E = Runtime_events

type E.User.tag += Drover

let register name ty = E.User.register ("drover." ^ name) Drover ty
let task = register "task" E.Type.span
let park = register "park" E.Type.span
let steal = register "steal" E.Type.int
let suspend = register "suspend" E.Type.int
let resume = register "resume" E.Type.int
let batch = register "batch" E.Type.int
let batch_run = register "batch.run" E.Type.int
let batch_wait = register "batch.wait" E.Type.int
let worker = register "worker" E.Type.int
let pool_open = register "pool.open" E.Type.int
let pool_close = register "pool.close" E.Type.int
let nobody = -1
let[@inline] tell event n = E.User.write event n

(* Who reads a number gets its last 32 bits, with a sign. So a longer time, in nanoseconds, is told in
   parts. *)

let largest = 0x7fff_ffff

let rec tell_time event n =
  tell event (Int.min n largest);
  if n > largest then tell_time event (n - largest)

(* Waits are numbered throughout the program; a worker takes some numbers at a time. They begin again
   after 2^31, so only a wait that lasts that long may share its number. *)

let some = 64
let taken = Atomic.make 0

(* The number for the next wait of a worker whose latest had the number [n]; -1: had none. *)
let[@inline] wait_after n =
  let next = n + 1 in
  if next mod some = 0 then Atomic.fetch_and_add taken some land largest else next

let[@inline] during event f =
  E.User.write event E.Type.Begin;
  match f () with
  | v ->
      E.User.write event E.Type.End;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      E.User.write event E.Type.End;
      Printexc.raise_with_backtrace exn backtrace

(* Names that programs give: an event each, made when the name is first used. The runtime has room
   for some thousand events of at most 127 characters; what is more shares one. *)

module Names = Map.Make (String)

let most_names = 1000
let longest_name = 100
let named_event name = register ("name." ^ name) E.Type.span
let others = named_event "others"
let names = Atomic.make Names.empty
let mutex = Stdlib.Mutex.create ()

let add name =
  Stdlib.Mutex.protect mutex (fun () ->
      let known = Atomic.get names in
      match Names.find_opt name known with
      | Some event -> event
      | None when Names.cardinal known >= most_names -> others
      | None ->
          let shown = String.sub name 0 (Int.min longest_name (String.length name)) in
          let event = named_event shown in
          Atomic.set names (Names.add name event known);
          event)

let event_of name =
  match Names.find_opt name (Atomic.get names) with Some event -> event | None -> add name

let named name f = during (event_of name) f
