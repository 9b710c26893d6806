(* Batch queue: who serves, and what is left to serve, in one atomic.

   Free --serve_if_free--> Busy [] --add--> Busy items

   Busy [] --stop_serving--> Free

   Busy items --stop_serving--> Left items --add--> Left more items

   Left items --serve_left--> Busy items

   So when items are queued there is a server, or the last one has seen that it must find another.

   Submitters add to a list, in the atomic. The server takes that out as a whole, and keeps what does not
   go into its batch:

   1. One step takes the list out of the atomic, if its items are needed, and says how many items the
      batch is owed.
   2. The server makes the batch of what it keeps, and stores that, without a safepoint between the stores.
   3. It ends the batch.

   A server that a signal's handler has interrupted begins the part again in which it was, or has the batch
   still: no item is lost. *)

(* The latest first. [count] is the length of this list, and of what the servers keep. *)
type 'a items = { newest : 'a list; count : int }
type 'a state = Free | Busy of 'a items | Left of 'a items

type 'a t = {
  state : 'a state Atomic.t;
  (* The server's; the step to Busy follows the last server's step from it. *)
  mutable kept : 'a list; (* the oldest first *)
  mutable taken_out : 'a list; (* behind these, the newest first *)
  mutable kept_count : int; (* of both, but for those that are owed *)
  mutable owed : int;
  mutable batch : 'a array;
}

let create () =
  {
    state = Atomic.make_contended Free;
    kept = [];
    taken_out = [];
    kept_count = 0;
    owed = 0;
    batch = [||];
  }

let alone = Busy { newest = []; count = 0 }

let[@inline] serve_if_free q =
  Atomic.get q.state == Free && Atomic.compare_and_set q.state Free alone

let rec serve_left q ~most =
  match Atomic.get q.state with
  | Free | Busy _ -> false
  | Left items as left ->
      items.count <= most && (Atomic.compare_and_set q.state left (Busy items) || serve_left q ~most)

let is_busy q =
  match Atomic.get q.state with Busy { count; _ } -> count = 0 | Free | Left _ -> false

let left q = match Atomic.get q.state with Free | Busy _ -> 0 | Left { count; _ } -> count

let rec add_from q x pause =
  let before = Atomic.get q.state in
  let more { newest; count } = { newest = x :: newest; count = count + 1 } in
  (* Publishes [x]; pairs with the step in [take]. *)
  let[@inline] step after =
    Atomic.compare_and_set q.state before after || add_from q x (Shared.back_off pause)
  in
  match before with
  | Free -> false
  | Busy items -> step (Busy (more items))
  | Left items -> step (Left (more items))

let add q x = add_from q x 1

(* The server alone takes, and stops. *)

let rec owe q ~max =
  match Atomic.get q.state with
  | Free | Left _ -> assert false
  | Busy { newest; count } as before ->
      let owed = Int.min max count in
      let left = count - owed and takes_out = owed > q.kept_count in
      let after = Busy { newest = (if takes_out then [] else newest); count = left } in
      if Atomic.compare_and_set q.state before after then begin
        q.taken_out <- (if takes_out then newest else []);
        q.kept_count <- (if takes_out then left else q.kept_count - owed);
        q.owed <- owed
      end
      else owe q ~max

let take q ~max =
  if Array.length q.batch = 0 then begin
    if q.owed = 0 then owe q ~max;
    let items = if q.taken_out == [] then q.kept else q.kept @ List.rev q.taken_out in
    let batch = Young.of_list q.owed items and rest = List.drop q.owed items in
    q.kept <- rest;
    q.taken_out <- [];
    q.owed <- 0;
    q.batch <- batch
  end;
  q.batch

let end_batch q = q.batch <- [||]

let rec leave q =
  match Atomic.get q.state with
  | Free | Left _ -> assert false
  | Busy ({ count; _ } as items) as before ->
      if Atomic.compare_and_set q.state before (if count = 0 then Free else Left items) then count
      else leave q

let[@inline] stop_if_alone q =
  Atomic.get q.state == alone && Atomic.compare_and_set q.state alone Free

let stop_serving q = if stop_if_alone q then 0 else leave q
