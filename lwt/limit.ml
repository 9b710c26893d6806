(* Limit: how many tasks are in flight at most.

   A task is in flight from its start until the loop has its outcome. Those above the limit wait in
   the order in which they came. Everything here happens on the loop's thread. *)

type 'task t = {
  start : 'task t -> 'task -> bool; (* [false] if it is not wanted any more *)
  mutable most : int;
  mutable in_flight : int;
  waiting : 'task Queue.t;
}

let create start most = { start; most; in_flight = 0; waiting = Queue.create () }

(* Counts first: what is started may end, and leave, at once. *)
let start t task =
  t.in_flight <- t.in_flight + 1;
  if not (t.start t task) then t.in_flight <- t.in_flight - 1

let rec admit t =
  if t.in_flight < t.most then
    match Queue.take_opt t.waiting with
    | None -> ()
    | Some task ->
        start t task;
        admit t

(* Starts [task] as soon as there is room. What was started must [leave] once. *)
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
