(* Batch queue: who serves, and what is left to serve, in one atomic.

   Free --enter--> Busy [] --add--> Busy items

   Busy [] --leave--> Free

   Busy items --leave--> Left items --add--> Left more items

   Left items --enter--> Busy items

   So when items are queued somebody serves, or the last server was told to find another.

   Submitters add to a list, in the atomic, and the server needs an array of the oldest. It takes the
   list out in two steps: the first moves it, within the atomic, into a parcel; the second puts what
   is in the parcel into [older], where the items from [first] on are next, the oldest first. An item
   leaves the queue only by [drop]. Whatever raises between two steps (see [Critical]), this server
   or the next goes on from there. While there are items in the parcel or in [older], the state is
   not Free. *)

type 'a parcel = { mutable items : 'a list }

(* [count] is the length of [newest]; [others] is how many there were besides when the server last
   said so, but for those that it was about to drop. *)
type 'a items = { newest : 'a list; count : int; parcel : 'a parcel; others : int }
type 'a state = Free | Busy of 'a items | Left of 'a items

type 'a t = {
  state : 'a state Atomic.t;
  at_work : 'a state; (* Busy [] *)
  empty : 'a parcel;
  mutable older : 'a array;
  mutable first : int;
}

let create () =
  let empty = { items = [] } in
  let at_work = Busy { newest = []; count = 0; parcel = empty; others = 0 } in
  { state = Atomic.make_contended Free; at_work; empty; older = [||]; first = 0 }

(* A step to Busy follows the last server's step from it, and so what that server did. *)
let[@inline] enter_if_free q =
  Atomic.get q.state == Free && Atomic.compare_and_set q.state Free q.at_work

let[@inline] all items = items.count + items.others

let rec enter ?(most = max_int) q =
  match Atomic.get q.state with
  | Free | Busy _ -> false
  | Left items as left ->
      all items <= most && (Atomic.compare_and_set q.state left (Busy items) || enter ~most q)

let is_busy q = match Atomic.get q.state with Busy items -> all items = 0 | Free | Left _ -> false
let length q = match Atomic.get q.state with Free -> 0 | Busy items | Left items -> all items
let left q = match Atomic.get q.state with Free | Busy _ -> 0 | Left items -> all items

type added = At_rest | Queued | Enough

let rec add q ~enough x =
  let before = Atomic.get q.state in
  let more items = { items with newest = x :: items.newest; count = items.count + 1 } in
  match before with
  | Free -> At_rest
  | Busy items ->
      (* Publishes [x]; pairs with the step in [pack]. *)
      if Atomic.compare_and_set q.state before (Busy (more items)) then Queued else add q ~enough x
  | Left items ->
      let items = more items in
      if not (Atomic.compare_and_set q.state before (Left items)) then add q ~enough x
      else if all items = enough then Enough
      else Queued

(* What was in the parcel is the end of [older] now. *)
let[@poll error] store q older parcel =
  q.older <- older;
  q.first <- 0;
  parcel.items <- []

let in_older q = Array.length q.older - q.first

let unpack q parcel =
  match parcel.items with
  | [] -> ()
  | items ->
      let newer = Young.of_list (List.length items) (List.rev items) and n = in_older q in
      let older = if n = 0 then newer else Array.append (Array.sub q.older q.first n) newer in
      store q older parcel

(* The server alone leaves, and changes [parcel]. *)
let busy q =
  match Atomic.get q.state with
  | Busy items as busy -> (busy, items)
  | Free | Left _ -> assert false

(* Takes the newest out of their list, and those of all that will be dropped off the account. *)
let rec pack q ~max =
  let before, items = busy q in
  let parcel = if items.newest = [] then items.parcel else { items = items.newest } in
  let others = Int.max 0 (in_older q + items.count - max) in
  if Atomic.compare_and_set q.state before (Busy { newest = []; count = 0; parcel; others }) then
    parcel
  else pack q ~max

let oldest q ~max =
  let _, { parcel; _ } = busy q in
  unpack q parcel;
  if in_older q < max then unpack q (pack q ~max);
  let n = Int.min max (in_older q) in
  if n = Array.length q.older then q.older else Array.sub q.older q.first n

let[@inline] drop q n =
  q.first <- q.first + n;
  if q.first = Array.length q.older then begin
    q.older <- [||];
    q.first <- 0
  end

type 'a exit = { before : 'a state; after : 'a state }

let exit q =
  let before, items = busy q in
  unpack q items.parcel;
  let items = { items with parcel = q.empty; others = in_older q } in
  { before; after = (if all items = 0 then Free else Left items) }

let[@inline] leave_by q exit = Atomic.compare_and_set q.state exit.before exit.after
let[@inline] leave_if_empty q = Atomic.compare_and_set q.state q.at_work Free
