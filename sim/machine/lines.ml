(* Lines: what an access to memory costs, by who had the line of the cache last.

   A line that another processor has modified is fetched from there; one that several have read, or nobody, from the
   cache that all share; and for a write all others have to give it up. Meanwhile it is nobody else's: so those
   who want it queue. A plain write waits for nothing, but the next atomic step waits for it. *)

open World

let epoch = ref 0

let create () =
  {
    epoch = !epoch;
    owner = (if !w.me.number < 0 then -1 else !w.me.processor);
    readers0 = 0;
    readers1 = 0;
    readers2 = 0;
    free_at = 0;
  }

let per_word = 62 (* bits *)

let[@inline] is_reader line p =
  if p < per_word then line.readers0 land (1 lsl p) <> 0
  else if p < 2 * per_word then line.readers1 land (1 lsl (p - per_word)) <> 0
  else line.readers2 land (1 lsl (p - (2 * per_word))) <> 0

let add_reader line p =
  if p < per_word then line.readers0 <- line.readers0 lor (1 lsl p)
  else if p < 2 * per_word then line.readers1 <- line.readers1 lor (1 lsl (p - per_word))
  else line.readers2 <- line.readers2 lor (1 lsl (p - (2 * per_word)))

let forget_readers line =
  line.readers0 <- 0;
  line.readers1 <- 0;
  line.readers2 <- 0

(* A line of an atomic that was made before the run. *)
let renew line =
  line.epoch <- !epoch;
  line.owner <- -1;
  line.free_at <- 0;
  forget_readers line

let site name =
  let sites = !w.sites in
  match Hashtbl.find_opt sites name with
  | Some site -> site
  | None ->
      let site = { misses = 0; stall = 0; waits = 0; failures = 0 } in
      Hashtbl.add sites name site;
      site

let distance a b =
  let m = !w.model in
  if a / m.cluster = b / m.cluster then m.within_cluster
  else if a / m.socket = b / m.socket then m.within_socket
  else m.between_sockets

(* From the furthest that has read it; which that is nobody remembers. *)
let to_take_from_readers () =
  let m = !w.model in
  if m.processors > m.socket then m.between_sockets
  else if m.processors > m.cluster then m.within_socket
  else m.within_cluster

let note name ~from ~start ~finish =
  let site = site name in
  site.misses <- site.misses + 1;
  site.waits <- site.waits + (start - from);
  site.stall <- site.stall + (finish - from);
  !w.accesses <- !w.accesses + 1

let stall t ~until =
  t.account.stalled <- t.account.stalled + (until - t.time);
  t.time <- until

let[@inline never] fetch_to_read line name t =
  if line.epoch <> !epoch then renew line;
  let start = Int.max t.time line.free_at in
  let cost = if line.owner >= 0 then distance line.owner t.processor else !w.model.from_memory in
  if line.owner >= 0 then begin
    add_reader line line.owner;
    line.owner <- -1
  end;
  add_reader line t.processor;
  line.free_at <- start + !w.model.read_occupancy;
  note name ~from:t.time ~start ~finish:(start + cost);
  stall t ~until:(start + cost)

(* When the line is the processor's. *)
let take_to_write line name (t : thread) =
  if line.epoch <> !epoch then renew line;
  let start = Int.max t.time line.free_at in
  let cost = if line.owner >= 0 then distance line.owner t.processor else to_take_from_readers () in
  line.owner <- t.processor;
  forget_readers line;
  line.free_at <- start + cost;
  note name ~from:t.time ~start ~finish:(start + cost);
  start + cost

let[@inline] is_mine line p = line.epoch = !epoch && line.owner = p
let[@inline] has line p = line.epoch = !epoch && (line.owner = p || is_reader line p)

(* The calling thread is about to read or write. *)

let[@inline] read line name =
  Turns.sync ();
  let t = me () in
  if not (Queue.is_empty t.stores) then Stores.drain_field t line name;
  if has line t.processor then t.time <- t.time + !w.model.hit else fetch_to_read line name t

let[@inline] step line name =
  Turns.sync ();
  let w = !w in
  let t = w.me in
  w.steps <- w.steps + 1;
  if (not (Queue.is_empty t.stores)) && not (Mutants.is_no_fence name) then Stores.drain t;
  if t.drained > t.time then stall t ~until:t.drained;
  if is_mine line t.processor then t.time <- t.time + w.model.step
  else stall t ~until:(take_to_write line name t)

(* Whether it is seen at once; or else [keep] it. *)
let[@inline] write line name =
  let t = me () in
  if not (is_mine line t.processor) then begin
    Turns.sync ();
    t.drained <- Int.max t.drained (take_to_write line name t)
  end;
  t.time <- t.time + !w.model.store;
  not !w.keeps_stores

let keep = Stores.keep

let note_failure name =
  let site = site name in
  site.failures <- site.failures + 1

(* Where things lie *)

(* Words that are allocated after each other share lines. *)
let words_of_line = 8

type cursor = { mutable line : line; mutable left : int }

let cursors : cursor option array = Array.make 256 None

let cursor () =
  let i = if !w.me.number < 0 then 255 else !w.me.processor in
  match cursors.(i) with
  | Some c when c.line.epoch = !epoch -> c
  | Some _ | None ->
      let c = { line = create (); left = words_of_line } in
      cursors.(i) <- Some c;
      c

let next_line c =
  c.line <- create ();
  c.left <- words_of_line

(* The lines of a block with so many fields, and of its header. *)
let block fields =
  let c = cursor () in
  if c.left = 0 then next_line c;
  let words = fields + 1 and first = c.line and left = c.left in
  let further = Int.max 0 (words - left + words_of_line - 1) / words_of_line in
  let lines = Array.make (1 + further) first in
  for i = 1 to further do
    next_line c;
    lines.(i) <- c.line
  done;
  c.left <- left + (further * words_of_line) - words;
  lines

(* That of a field, which lie behind the header. *)
let[@inline] of_word lines field =
  Array.unsafe_get lines (Int.min ((field + 1) / words_of_line) (Array.length lines - 1))

let one () =
  let c = cursor () in
  if c.left < 2 then next_line c;
  c.left <- c.left - 2;
  c.line

let apart () = create ()
