(* Batch queue: who serves, and what is left to serve, in one atomic.

   Free --enter--> Busy [] --add--> Busy items

   Busy [] --leave--> Free

   Busy items --leave--> Left items --add--> Left more items

   Left items --enter--> Busy items

   So when items are queued somebody serves, or the last server was told to find another. The server
   keeps the oldest items, which it has taken out of the atomic, in [older]; while it has any, the
   state is not Free. *)

type 'a state =
  | Free
  | Busy of 'a list
  (* newest first *)
  | Left of 'a list

type 'a t = { state : 'a state Atomic.t; mutable older : 'a list (* oldest first; the server's *) }

let create () = { state = Atomic.make_contended Free; older = [] }

(* A step to Busy follows the last server's step from it, and so what that server did. *)
let[@inline] enter_if_empty q = Atomic.compare_and_set q.state Free (Busy [])

let rec enter q =
  match Atomic.get q.state with
  | Busy _ -> false
  | Free -> Atomic.compare_and_set q.state Free (Busy []) || enter q
  | Left items as left -> Atomic.compare_and_set q.state left (Busy items) || enter q

let rec enter_or_add q x =
  let before = Atomic.get q.state in
  let entered, after =
    match before with
    | Free -> (true, Busy [])
    | Busy items -> (false, Busy (x :: items))
    | Left items -> (false, Left (x :: items))
  in
  (* Publishes [x]; pairs with the exchange in [take]. *)
  if Atomic.compare_and_set q.state before after then entered else enter_or_add q x

let newer q =
  match Atomic.exchange q.state (Busy []) with
  | Busy items -> List.rev items
  | Free | Left _ -> assert false (* the server alone leaves *)

let rec split n taken = function
  | x :: rest when n > 0 -> split (n - 1) (x :: taken) rest
  | rest -> (n, taken, rest)

let take q ~max =
  let missing, taken, older = split max [] q.older in
  let _, taken, older = if missing > 0 then split missing taken (newer q) else (0, taken, older) in
  q.older <- older;
  List.rev taken

let rec leave q =
  match Atomic.get q.state with
  | Busy items as busy ->
      let is_left = q.older <> [] || items <> [] in
      let after = if is_left then Left items else Free in
      if Atomic.compare_and_set q.state busy after then is_left else leave q
  | Free | Left _ -> assert false (* the server alone leaves *)
