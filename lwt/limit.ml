(* Limit: how many tasks are in flight at most.

   A task is in flight from its start until the loop has its outcome. Those above the limit wait in
   the order in which they came. Everything here happens on the loop's thread. *)

type t = {
  mutable most : int;
  mutable in_flight : int;
  waiting : (unit -> bool) Queue.t; (* each starts a task, or is [false] if that is not wanted *)
}

let create most = { most; in_flight = 0; waiting = Queue.create () }

(* Counts first: what is started may end, and leave, at once. *)
let start t task =
  t.in_flight <- t.in_flight + 1;
  if not (task ()) then t.in_flight <- t.in_flight - 1

let rec admit t =
  if t.in_flight < t.most then
    match Queue.take_opt t.waiting with
    | None -> ()
    | Some task ->
        start t task;
        admit t

(* Calls [task] as soon as there is room. A task that it starts must [leave] once. *)
let enter t task =
  if t.in_flight < t.most && Queue.is_empty t.waiting then start t task
  else Queue.add task t.waiting

let leave t =
  t.in_flight <- t.in_flight - 1;
  admit t

let set t most =
  t.most <- most;
  admit t

let most t = t.most
let in_flight t = t.in_flight
let waiting t = Queue.length t.waiting
