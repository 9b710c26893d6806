(* Limit: how many tasks are in flight at most.

   A task is in flight from its start until the loop has its outcome. Those above the limit wait in
   the order in which they came. Everything here happens on the loop's thread.

   A task in flight may wait for a function that it has the loop call. What that function starts does not
   stand in line, where it might wait for its own caller. *)

(* Whether a caller waits for the function that the loop calls. *)
let is_waited_for : (unit -> bool) Lwt.key = Lwt.new_key ()
let on_behalf_of caller f = Lwt.with_value is_waited_for (Some caller) f

type 'task t = {
  start : 'task t -> 'task -> unit; (* counts it, unless nobody wants the task any more *)
  mutable most : int;
  mutable in_flight : int;
  waiting : 'task Queue.t;
}

let create start most = { start; most; in_flight = 0; waiting = Queue.create () }
let[@inline] count t n = t.in_flight <- t.in_flight + n

(* Starts those for which there is room. What is started may come back here, and start those behind. *)
let rec admit t =
  if t.in_flight < t.most && not (Queue.is_empty t.waiting) then begin
    t.start t (Queue.take t.waiting);
    admit t
  end

(* Starts [task] as soon as there is room. *)
let enter t task =
  match Lwt.get is_waited_for with
  | Some caller when caller () -> t.start t task
  | Some _ | None ->
      Queue.add task t.waiting;
      admit t

let set t most =
  t.most <- most;
  admit t

let most t = t.most
let in_flight t = t.in_flight
let waiting t = Queue.length t.waiting
