(* Limit: how many tasks are in flight at most.

   A task is in flight from its start until the loop has its outcome. Those above the limit wait in
   the order in which they came. Everything here happens on the loop's thread.

   Whatever raises in the middle, no task is lost or counted twice: it is in the line until it has
   been started, and a place is taken, or left, and counted in one step. *)

(* Free --take--> Taken --leave--> Left *)
type place = Free | Taken | Left
type seat = { mutable place : place }

type 'task t = {
  start : 'task t -> 'task -> unit; (* takes a place; idempotent *)
  mutable most : int;
  mutable in_flight : int;
  waiting : 'task Queue.t;
}

let create start most = { start; most; in_flight = 0; waiting = Queue.create () }
let seat () = { place = Free }
let is_free seat = seat.place = Free

let[@poll error] take t seat =
  if seat.place = Free then begin
    seat.place <- Taken;
    t.in_flight <- t.in_flight + 1
  end

let[@poll error] give_back t seat =
  if seat.place = Taken then t.in_flight <- t.in_flight - 1;
  seat.place <- Left

(* What is started may come back here, and start those behind. *)
let rec admit t =
  if t.in_flight < t.most && not (Queue.is_empty t.waiting) then begin
    let task = Queue.peek t.waiting in
    t.start t task;
    if (not (Queue.is_empty t.waiting)) && Queue.peek t.waiting == task then
      ignore (Queue.take t.waiting : _);
    admit t
  end

(* Starts [task] as soon as there is room. *)
let enter t task =
  Queue.add task t.waiting;
  admit t

let leave t seat =
  give_back t seat;
  admit t

let set t most =
  t.most <- most;
  admit t

let most t = t.most
let in_flight t = t.in_flight
let waiting t = Queue.length t.waiting
