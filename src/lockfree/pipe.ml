(* Pipe: two immutable values behind two atomics, so that senders and receivers meet seldom.

   Senders work at the inlet, receivers at the outlet. Messages are numbered: [sent] is the number
   of the next one at the inlet, [next] that of the next one at the outlet, and there are
   [sent - next]. The outlet has the oldest of them; when it has none, a receiver fetches all that
   the inlet has. With the step that puts them at the outlet they are there, and not at the inlet
   any more, whatever that still refers to: for the numbers say which of them are new. Then the
   receiver trims the inlet. Compare the queue of two stacks (Hood, Melville, IPL 1981). Probe: chan.

   Both numbers only grow. So whoever reads the outlet and then the inlet, and finds them equal, has
   seen the pipe empty; and whoever makes a step at the inlet then, which has not changed, makes it
   while the pipe is empty. The same holds the other way round for a full pipe.

   Slots are claimed at the inlet and freed at the outlet, counted in the same way. A slot that is
   passed on to a sender that waits is neither freed nor, when that sender fills it, claimed. *)

type 'r entrance = {
  filled : int; (* of the messages sent, those without a claim *)
  freed : int; (* slots, as a sender last saw it *)
  receivers : 'r Line.t; (* not empty only if there are no messages *)
  closed : bool;
}

type 's exit = {
  passed : int; (* of the messages received, those that have not freed a slot *)
  senders : 's Line.t; (* not empty only if all slots are claimed *)
  shut : bool; (* soon after [closed] *)
}

(* What changes rarely is apart, which leaves less to allocate for a message. *)

type ('a, 'r) inlet = {
  batch : 'a list; (* the newest first; all that were not fetched, and perhaps older ones *)
  sent : int;
  entrance : 'r entrance;
}

type ('a, 's) outlet = { front : 'a list; (* the oldest first *) next : int; exit : 's exit }

type ('a, 'r, 's) t = {
  capacity : int;
  inlet : ('a, 'r) inlet Atomic.t;
  outlet : ('a, 's) outlet Atomic.t;
}

let create capacity =
  let entrance = { filled = 0; freed = 0; receivers = Line.empty; closed = false }
  and exit = { passed = 0; senders = Line.empty; shut = false } in
  {
    capacity;
    inlet = Atomic.make_contended { batch = []; sent = 0; entrance };
    outlet = Atomic.make_contended { front = []; next = 0; exit };
  }

let claimed i = i.sent - i.entrance.filled
let freed o = o.next - o.exit.passed
let is_closed p = (Atomic.get p.inlet).entrance.closed

(* Every step publishes what it adds, to whoever reads that end next. *)
let step_in p before after = Atomic.compare_and_set p.inlet before after
let step_out p before after = Atomic.compare_and_set p.outlet before after

(* Who is overtaken pauses, longer each time, so that the other makes several steps meanwhile. *)

let longest = 64

let pause n =
  for _ = 1 to n do
    Domain.cpu_relax ()
  done;
  Int.min (2 * n) longest

(* Sending *)

let store i v = { i with batch = v :: i.batch; sent = i.sent + 1 }
let has_room p i ~freed = claimed i - freed < p.capacity

(* A receiver that waits, and the inlet without it. *)
let next_receiver i =
  if Line.is_empty i.entrance.receivers then None
  else
    let leave (r, receivers) = (r, { i with entrance = { i.entrance with receivers } }) in
    Option.map leave (Line.next i.entrance.receivers)

let rec offer p v n =
  let i = Atomic.get p.inlet in
  if i.entrance.closed then Transfer.Refused
  else
    match next_receiver i with
    | Some (r, after) -> if step_in p i after then For r else offer p v (pause n)
    | None when has_room p i ~freed:i.entrance.freed ->
        if step_in p i (store i v) then Stored else offer p v (pause n)
    | None ->
        let freed = freed (Atomic.get p.outlet) in
        if not (has_room p i ~freed) then Full
        else
          let seen = { i with entrance = { i.entrance with freed } } in
          if step_in p i (store seen v) then Stored else offer p v (pause n)

let offer p v = offer p v 1

let rec fill p v =
  let i = Atomic.get p.inlet in
  if i.entrance.closed then Transfer.Refused
  else
    match next_receiver i with
    | Some (r, after) -> if step_in p i after then For r else fill p v
    | None ->
        let entrance = { i.entrance with filled = i.entrance.filled + 1 } in
        if step_in p i { (store i v) with entrance } then Stored else fill p v

let rec queue_sender p sender =
  let i = Atomic.get p.inlet in
  let o = Atomic.get p.outlet in
  if i.entrance.closed || o.exit.shut || has_room p i ~freed:(freed o) then None
  else
    let ticket, senders = Line.join o.exit.senders sender in
    if step_out p o { o with exit = { o.exit with senders } } then Some ticket
    else queue_sender p sender

let rec remove_sender p ticket sender =
  let o = Atomic.get p.outlet in
  let senders = Line.leave o.exit.senders ticket sender in
  if not (senders == o.exit.senders || step_out p o { o with exit = { o.exit with senders } }) then
    remove_sender p ticket sender

(* Receiving *)

(* A sender that waits, and the outlet after the slot that was to be freed is passed on to it. *)
let next_sender o =
  if Line.is_empty o.exit.senders then None
  else
    let pass (sender, senders) =
      (sender, { o with exit = { o.exit with senders; passed = o.exit.passed + 1 } })
    in
    Option.map pass (Line.next o.exit.senders)

let rec vacate p =
  let o = Atomic.get p.outlet in
  let free = { o with exit = { o.exit with passed = o.exit.passed - 1 } } in
  match next_sender free with
  | None -> if step_out p o free then None else vacate p
  | Some (sender, after) -> if step_out p o after then Some sender else vacate p

(* The messages from the number [fetched] on are all that the inlet should refer to. *)
let rec trim p fetched n =
  let i = Atomic.get p.inlet in
  if not (step_in p i { i with batch = List.take (i.sent - fetched) i.batch }) then
    trim p fetched (pause n)

(* The first [n] of a list before [rest], in reverse; or nothing if there are not as many. *)
let rec reverse n list rest =
  if n = 0 then rest else match list with x :: list -> reverse (n - 1) list (x :: rest) | [] -> []

(* What is received when [v] leaves the outlet [o], and only [front] stays; nothing if [o] is out of
   date. *)
let receive p o v front =
  let after = { o with front; next = o.next + 1 } in
  match next_sender after with
  | None -> if step_out p o after then Some (Transfer.Message (v, None)) else None
  | Some (sender, after) -> if step_out p o after then Some (Message (v, Some sender)) else None

(* The same with all that the inlet [i] has, for an outlet that has none. *)
let fetch p o i =
  match reverse (i.sent - o.next) i.batch [] with
  | [] -> None
  | v :: front ->
      let received = receive p o v front in
      if Option.is_some received then trim p i.sent 1;
      received

let rec take p n =
  let o = Atomic.get p.outlet in
  match o.front with
  | v :: front -> received p n (receive p o v front)
  | [] ->
      let i = Atomic.get p.inlet in
      if i.sent > o.next then received p n (fetch p o i)
      else if i.entrance.closed then Transfer.Over
      else Empty

and received p n = function Some result -> result | None -> take p (pause n)

let take p = take p 1

let rec queue_receiver p receiver =
  let o = Atomic.get p.outlet in
  let i = Atomic.get p.inlet in
  if i.entrance.closed || i.sent <> o.next then None
  else
    let ticket, receivers = Line.join i.entrance.receivers receiver in
    let after = { i with entrance = { i.entrance with receivers } } in
    if step_in p i after then Some ticket else queue_receiver p receiver

let rec remove_receiver p ticket receiver =
  let i = Atomic.get p.inlet in
  let receivers = Line.leave i.entrance.receivers ticket receiver in
  let after = { i with entrance = { i.entrance with receivers } } in
  if not (receivers == i.entrance.receivers || step_in p i after) then
    remove_receiver p ticket receiver

(* The outlet did not change meanwhile. *)
let rec length p =
  let o = Atomic.get p.outlet in
  let i = Atomic.get p.inlet in
  if Atomic.get p.outlet == o then claimed i - freed o else length p

(* First the inlet: who gets in line at the outlet later sees that it is shut, or is found there. *)

let rec shut p =
  let o = Atomic.get p.outlet in
  let exit = { o.exit with senders = Line.empty; shut = true } in
  if step_out p o { o with exit } then Line.to_list o.exit.senders else shut p

let rec close p =
  let i = Atomic.get p.inlet in
  let entrance = { i.entrance with receivers = Line.empty; closed = true } in
  if step_in p i { i with entrance } then
    let receivers = Line.to_list i.entrance.receivers in
    (receivers, shut p)
  else close p
