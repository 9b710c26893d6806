let is_recording = ref false

(* Where [in_order], the messages that wait have their marks in the order in which they were sent. *)
type cell = {
  mutable given : Order.mark option;
  messages : Order.mark Queue.t Lazy.t;
  mutable in_order : bool;
}

let empty_cell () = { given = None; messages = lazy (Queue.create ()); in_order = true }
let no_cell = empty_cell ()
let cells = Blocks.create no_cell
let cell b = Blocks.find_or_add cells b empty_cell
let[@inline] is_on () = !is_recording && Order.is_current ()

let give_mark b m =
  let c = cell b in
  c.given <- Some (Option.fold c.given ~none:m ~some:(Order.both m))

let give b = if is_on () then give_mark b (Order.mark ())

(* Another schedule might give something else. *)
let learn m =
  Order.is_of_all := false;
  Order.learn m

let take b = if is_on () then Option.iter learn (cell b).given
let now () = if is_on () then Some (Order.mark ()) else None

let send b =
  if is_on () then begin
    let c = cell b and m = Order.mark () in
    if c.in_order then Queue.add m (Lazy.force c.messages) else give_mark b m
  end

let receive b =
  if is_on () then begin
    let c = cell b in
    Option.iter learn (if c.in_order then Queue.take_opt (Lazy.force c.messages) else c.given)
  end

(* When that message is sent, nobody sees: so from now on who receives any knows of all. *)
let offer b =
  if is_on () then begin
    let c = cell b in
    c.in_order <- false;
    Queue.iter (give_mark b) (Lazy.force c.messages);
    Queue.clear (Lazy.force c.messages);
    give_mark b (Order.mark ())
  end

(* Locks have numbers, also where nothing is recorded yet: they may be held when that begins. *)

let no_lock = { Order.number = 0; since = 0; released = ref None }
let locks = Blocks.create no_lock
let last = ref 0

let known b =
  Blocks.find_or_add locks b (fun () ->
      incr last;
      { no_lock with number = !last; released = ref None })

let held () = !Order.current.context.locks

let lock b =
  if Order.is_current () then begin
    if !is_recording then Order.is_of_all := false;
    Order.hold ({ (known b) with since = !Order.now } :: held ())
  end

let without (lock : Order.lock) =
  List.filter (fun (l : Order.lock) -> l.number <> lock.number) (held ())

let unlock b =
  if Order.is_current () then begin
    let lock = known b in
    if !is_recording then begin
      let m = Order.mark () in
      lock.released := Some (Option.fold !(lock.released) ~none:m ~some:(Order.both m))
    end;
    Order.hold (without lock)
  end

let keep_lock b =
  if Order.is_current () then
    let lock = known b in
    let is_own (l : Order.lock) = l.number = lock.number && l.since >= !Order.current.first in
    if not (List.exists is_own (held ())) then
      Order.hold ({ lock with since = !Order.now } :: without lock)

let with_lock b f x =
  lock b;
  Fun.protect ~finally:(fun () -> unlock b) (fun () -> f x)

let forget () = Blocks.clear cells ignore
