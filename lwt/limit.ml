(* Limit: how many tasks are in flight at most.

   A task is in flight from its start until the loop has its outcome. Those above the limit wait in
   the order in which they came. Everything here happens on the loop's thread. *)

type 'task t = {
  start : 'task t -> 'task -> unit; (* calls [take], unless nobody wants the task any more *)
  mutable most : int;
  mutable in_flight : int;
  waiting : 'task Queue.t;
}

let create start most = { start; most; in_flight = 0; waiting = Queue.create () }
let take t = t.in_flight <- t.in_flight + 1

(* What is started may come back here, and start those behind. *)
let rec admit t =
  if t.in_flight < t.most && not (Queue.is_empty t.waiting) then begin
    t.start t (Queue.take t.waiting);
    admit t
  end

(* Starts [task] as soon as there is room. *)
let enter t task =
  Queue.add task t.waiting;
  admit t

let leave t =
  t.in_flight <- t.in_flight - 1;
  admit t

let set t most =
  t.most <- most;
  admit t

let most t = t.most
let in_flight t = t.in_flight
let waiting t = Queue.length t.waiting
