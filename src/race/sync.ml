let is_recording = ref false

type cell = { mutable given : Order.mark option; messages : Order.mark Queue.t Lazy.t }

let no_cell = { given = None; messages = lazy (Queue.create ()) }
let cells = Blocks.create no_cell
let new_cell () = { given = None; messages = lazy (Queue.create ()) }
let cell b = Blocks.find_or_add cells b new_cell
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
let send b = if is_on () then Queue.add (Order.mark ()) (Lazy.force (cell b).messages)
let receive b = if is_on () then Option.iter learn (Queue.take_opt (Lazy.force (cell b).messages))

(* Locks have numbers, also where nothing is recorded yet: they may be held when that begins. *)

let numbers = Blocks.create 0
let last = ref 0

let number b =
  Blocks.find_or_add numbers b (fun () ->
      incr last;
      !last)

let held () = !Order.current.context.locks

let lock b =
  if Order.is_current () then begin
    if !is_recording then Order.is_of_all := false;
    Order.hold ({ number = number b; since = !Order.now } :: held ())
  end

let without n = List.filter (fun (l : Order.lock) -> l.number <> n) (held ())
let unlock b = if Order.is_current () then Order.hold (without (number b))

let keep_lock b =
  if Order.is_current () then
    let n = number b in
    let is_own (l : Order.lock) = l.number = n && l.since >= !Order.current.first in
    if not (List.exists is_own (held ())) then
      Order.hold ({ number = n; since = !Order.now } :: without n)

let with_lock b f x =
  lock b;
  Fun.protect ~finally:(fun () -> unlock b) (fun () -> f x)

let forget () = Blocks.clear cells ignore
