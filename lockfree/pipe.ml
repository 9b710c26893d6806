(* Pipe: two immutable values behind two atomics, so that senders and receivers meet seldom.

   Senders work at the inlet, receivers at the outlet. Messages are numbered: [sent] is the number
   of the next one at the inlet, [next] that of the next one at the outlet, and there are
   [sent - next]. The outlet has the oldest of them; when it has none, a receiver fetches all that
   the inlet has. With the step that puts them at the outlet they are there, and not at the inlet
   any more, whatever that still refers to: for the numbers say which of them are new. Then the
   receiver trims the inlet. Compare the queue of two stacks (Hood, Melville, IPL 1981). Probe: chan.

   Both numbers only grow, but for what is given back. So whoever reads the outlet and then the inlet,
   and finds them equal, has seen the pipe empty. Whoever reads the inlet first, finds them equal,
   and makes a step at the inlet then, which has not changed, makes it while the pipe is empty. The
   same holds the other way round for a full pipe.

   Slots are claimed at the inlet and freed at the outlet, counted in the same way. A slot that is
   passed on to a sender that waits is neither freed nor, when that sender fills it, claimed. It is
   owed first, from the step that would have freed it until its sender leaves the line with it. That
   sender is noted then: should a receiver find nothing else before it has filled the slot, its
   message is there all the same. Whoever of the two uses the right to the slot has it.
   The note is but a hint: it is of one such sender at most, and perhaps of one that has filled its
   slot; but that one removes it then, as it refers to the message.

   A message that is given back is at the outlet again, with its old number, perhaps beyond the
   capacity. A receiver may have seen the pipe empty before, and get in line after. Therefore whoever
   gives back makes a step at the inlet next, which keeps such a receiver out, and looks for those who
   were faster. *)

type 'r entrance = {
  filled : int; (* of the messages sent, those without a claim *)
  freed : int; (* slots, as a sender last saw it *)
  receivers : 'r Line.t; (* those who wait join only if there are no messages *)
  closed : bool;
}

type 's exit = {
  passed : int; (* of the messages received, those that have not freed a slot *)
  owed : int; (* slots, to the first in line *)
  senders : 's Line.t; (* not empty only if all slots are claimed *)
  given : 's Line.place option; (* perhaps one that has not filled its slot yet *)
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
  and exit = { passed = 0; owed = 0; senders = Line.empty; given = None; shut = false } in
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

(* Whoever is overtaken pauses, longer each time, so that the other makes several steps meanwhile. *)
let longest = 64

let pause n =
  Backoff.pause n;
  Int.min (2 * n) longest

(* Sending *)

let first_receiver i = Line.first i.entrance.receivers
let store i v = { i with batch = v :: i.batch; sent = i.sent + 1 }
let has_room p i = claimed i - i.entrance.freed < p.capacity
let seen i o = { i with entrance = { i.entrance with freed = freed o } }

let rec offer p v n =
  let i = Atomic.get p.inlet in
  if i.entrance.closed then Transfer.Refused
  else
    match first_receiver i with
    | Some r -> For r
    | None when has_room p i -> if step_in p i (store i v) then Stored else offer p v (pause n)
    | None ->
        let now = seen i (Atomic.get p.outlet) in
        if not (has_room p now) then Full
        else if step_in p i (store now v) then Stored
        else offer p v (pause n)

let offer p v = offer p v 1

let rec fill p v slot =
  let i = Atomic.get p.inlet in
  if i.entrance.closed then Transfer.Refused
  else
    match first_receiver i with
    | Some r -> For r
    | None ->
        let entrance = { i.entrance with filled = i.entrance.filled + 1 } in
        if Transfer.step_with_slot p.inlet i { (store i v) with entrance } slot then Stored
        else fill p v slot

let rec queue_sender p sender =
  let i = Atomic.get p.inlet in
  let o = Atomic.get p.outlet in
  (not (i.entrance.closed || o.exit.shut || has_room p (seen i o)))
  && (step_out p o { o with exit = { o.exit with senders = Line.join o.exit.senders sender } }
     || queue_sender p sender)

(* Slots for those who wait *)

(* The note goes as well: to forget another's does no harm. *)
let rec vacate p slot =
  let o = Atomic.get p.outlet in
  let exit =
    if Line.is_empty o.exit.senders then { o.exit with passed = o.exit.passed - 1; given = None }
    else { o.exit with owed = o.exit.owed + 1; given = None }
  in
  if not (Transfer.step_with_slot p.outlet o { o with exit } slot) then vacate p slot

let rec creditor p =
  let o = Atomic.get p.outlet in
  if o.exit.owed = 0 then None
  else
    match Line.first o.exit.senders with
    | Some _ as sender -> sender
    | None ->
        let exit = { o.exit with owed = 0; passed = o.exit.passed - o.exit.owed } in
        ignore (step_out p o { o with exit } : bool);
        creditor p

let rec remove_sender p ~with_slot sender =
  let o = Atomic.get p.outlet in
  let senders = Line.leave o.exit.senders sender in
  if senders != o.exit.senders then begin
    let exit =
      if with_slot then { o.exit with senders; owed = o.exit.owed - 1; given = Some sender }
      else { o.exit with senders }
    in
    if not (step_out p o { o with exit }) then remove_sender p ~with_slot sender
  end

let rec forget p =
  let o = Atomic.get p.outlet in
  if
    Option.is_some o.exit.given && not (step_out p o { o with exit = { o.exit with given = None } })
  then forget p

(* Receiving *)

(* The messages from the number [fetched] on are all that the inlet should refer to. *)
let rec trim p fetched n =
  let i = Atomic.get p.inlet in
  if not (step_in p i { i with batch = List.take (i.sent - fetched) i.batch }) then
    trim p fetched (pause n)

(* The first [n] of a list, in reverse; or nothing if there are not as many. *)
let rec reverse n list rest =
  if n = 0 then rest else match list with x :: list -> reverse (n - 1) list (x :: rest) | [] -> []

(* Brings all that the inlet [i] has to the outlet [o], which has none. Whoever is interrupted in
   between leaves references behind, for the next who fetches. *)
let fetch p o i =
  match reverse (i.sent - o.next) i.batch [] with
  | [] -> ()
  | front -> if step_out p o { o with front } then trim p i.sent 1

let has_line o = not (Line.is_empty o.exit.senders)

let rec take p n =
  let o = Atomic.get p.outlet in
  match o.front with
  | _ when has_line o -> None
  | v :: front ->
      let message = Some v in
      if step_out p o { o with front; next = o.next + 1 } then message else take p (pause n)
  | [] ->
      let i = Atomic.get p.inlet in
      if i.sent = o.next then None
      else begin
        fetch p o i;
        take p n
      end

let take p = take p 1

let lack p =
  let o = Atomic.get p.outlet in
  let i = Atomic.get p.inlet in
  if not (List.is_empty o.front && i.sent = o.next) then Transfer.Draw
  else if i.entrance.closed then Over
  else match o.exit.given with Some sender -> Early sender | None -> Empty

(* A message, into the hand, and the slot that it leaves is owed to whoever waits for one. *)

let rec draw p hand =
  let o = Atomic.get p.outlet in
  match o.front with
  | v :: front ->
      let exit =
        if Line.is_empty o.exit.senders then o.exit
        else { o.exit with passed = o.exit.passed + 1; owed = o.exit.owed + 1 }
      in
      let after = { front; next = o.next + 1; exit } in
      if not (Transfer.step_with_message p.outlet o after hand (Some v)) then draw p hand
  | [] ->
      let i = Atomic.get p.inlet in
      if i.sent <> o.next then begin
        fetch p o i;
        draw p hand
      end

let rec queue_receiver p receiver =
  let i = Atomic.get p.inlet in
  let o = Atomic.get p.outlet in
  (not (i.entrance.closed || i.sent <> o.next))
  &&
  let entrance = { i.entrance with receivers = Line.join i.entrance.receivers receiver } in
  step_in p i { i with entrance } || queue_receiver p receiver

let rec remove_receiver p receiver =
  let i = Atomic.get p.inlet in
  let receivers = Line.leave i.entrance.receivers receiver in
  let after = { i with entrance = { i.entrance with receivers } } in
  if not (receivers == i.entrance.receivers || step_in p i after) then remove_receiver p receiver

(* Giving back *)

let rec give_back p v hand =
  let o = Atomic.get p.outlet in
  match first_receiver (Atomic.get p.inlet) with
  | Some r -> Transfer.For r
  | None ->
      let after = { o with front = v :: o.front; next = o.next - 1 } in
      if Transfer.step_with_message p.outlet o after hand None then Stored else give_back p v hand

let receiver_after_all p =
  first_receiver (Shared.update p.inlet (fun i -> { i with sent = i.sent }))

(* The outlet did not change meanwhile. *)
let rec length p =
  let o = Atomic.get p.outlet in
  let i = Atomic.get p.inlet in
  if Atomic.get p.outlet == o then claimed i - freed o else length p

(* First the inlet: whoever gets in line at the outlet later sees that it is shut, or is found. *)
let close p =
  Shared.change p.inlet (fun i -> { i with entrance = { i.entrance with closed = true } });
  Shared.change p.outlet (fun o -> { o with exit = { o.exit with shut = true } })

let first_sender p = Line.first (Atomic.get p.outlet).exit.senders
let first_receiver p = first_receiver (Atomic.get p.inlet)
