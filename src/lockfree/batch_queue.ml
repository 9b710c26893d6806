(* Batch queue: who serves, and what is left to serve, in one atomic.

   Free --enter--> Busy [] --add--> Busy items

   Busy [] --leave--> Free

   Busy items --leave--> Left items --add--> Left more items

   Left items --enter--> Busy items

   So when items are queued somebody serves, or the last server was told to find another. What a
   server has taken out of the atomic and not served it keeps in [older], from [first] on, the oldest
   item first; while there is any, the state is not Free. *)

type 'a items = { newest : 'a list; length : int (* with [older], if nobody serves *) }
type 'a state = Free | Busy of 'a items | Left of 'a items
type 'a t = { state : 'a state Atomic.t; mutable older : 'a array; mutable first : int }

let none = { newest = []; length = 0 }
let create () = { state = Atomic.make_contended Free; older = [||]; first = 0 }

(* A step to Busy follows the last server's step from it, and so what that server did. *)
let[@inline] enter_if_free q =
  Atomic.get q.state == Free && Atomic.compare_and_set q.state Free (Busy none)

let rec enter ?(most = max_int) q =
  match Atomic.get q.state with
  | Free | Busy _ -> false
  | Left items as left ->
      items.length <= most && (Atomic.compare_and_set q.state left (Busy items) || enter ~most q)

let is_busy q = match Atomic.get q.state with Busy { length = 0; _ } -> true | _ -> false
let length q = match Atomic.get q.state with Free -> 0 | Busy items | Left items -> items.length
let add x items = { newest = x :: items.newest; length = items.length + 1 }

type added = Entered | Queued | Enough

let rec enter_or_add q ~enough x =
  let before = Atomic.get q.state in
  let added, after =
    match before with
    | Free -> (Entered, Busy none)
    | Busy items -> (Queued, Busy (add x items))
    | Left items ->
        let items = add x items in
        ((if items.length = enough then Enough else Queued), Left items)
  in
  (* Publishes [x]; pairs with the step in [take_out]. *)
  if Atomic.compare_and_set q.state before after then added else enter_or_add q ~enough x

(* Takes [n] items off the account, and all that are there out of the atomic if [all]; what was
   there. *)
let rec take_out q n ~all =
  match Atomic.get q.state with
  | Busy items as busy ->
      let newest = if all then [] else items.newest in
      let after = Busy { newest; length = Int.max 0 (items.length - n) } in
      if Atomic.compare_and_set q.state busy after then items else take_out q n ~all
  | Free | Left _ -> assert false (* the server alone leaves *)

let oldest_first newest n = Young.of_list n (List.rev newest)

let append q newer =
  let older = Array.length q.older - q.first in
  q.older <- (if older = 0 then newer else Array.append (Array.sub q.older q.first older) newer);
  q.first <- 0

let take_older q n =
  let items = Array.sub q.older q.first n in
  q.first <- q.first + n;
  if q.first = Array.length q.older then append q [||];
  items

let take q ~max =
  let older = Array.length q.older - q.first in
  let all = older < max in
  let { newest; length } = take_out q max ~all in
  if all then append q (oldest_first newest (length - older));
  take_older q (Int.min max length)

let rec leave q =
  match Atomic.get q.state with
  | Busy items as busy ->
      let after = if items.length = 0 then Free else Left items in
      if Atomic.compare_and_set q.state busy after then items.length else leave q
  | Free | Left _ -> assert false (* the server alone leaves *)
