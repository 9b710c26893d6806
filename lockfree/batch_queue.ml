(* Batch queue: who serves, and what is left to serve, in one atomic.

   Free --serve_if_free--> Busy [] --add--> Busy items

   Busy [] --stop_serving--> Free

   Busy items --stop_serving--> Left items --add--> Left more items

   Left items --serve_left--> Busy items

   So when items are queued there is a server, or the last one has seen that it must find another.

   Submitters add to a list, in the atomic. The server takes that out as a whole, and keeps what does not
   go into its batch. *)

(* The latest first. [count] is the length of this list, and of what the servers keep. *)
type 'a items = { newest : 'a list; count : int }
type 'a state = Free | Busy of 'a items | Left of 'a items

type 'a t = {
  state : 'a state Atomic.t;
  (* The server's; the step to Busy follows the last server's step from it. *)
  mutable kept : 'a list; (* the oldest first *)
  mutable kept_count : int;
}

let create () = { state = Atomic.make_contended Free; kept = []; kept_count = 0 }
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

let rec add q x =
  let before = Atomic.get q.state in
  let more { newest; count } = { newest = x :: newest; count = count + 1 } in
  (* Publishes [x]; pairs with the step in [take]. *)
  match before with
  | Free -> false
  | Busy items -> Atomic.compare_and_set q.state before (Busy (more items)) || add q x
  | Left items -> Atomic.compare_and_set q.state before (Left (more items)) || add q x

(* The server alone takes, and stops. *)
let rec take q ~max =
  match Atomic.get q.state with
  | Free | Left _ -> assert false
  | Busy { newest; count } as before ->
      let n = Int.min max count in
      let takes_newest = n > q.kept_count in
      let newest_left = if takes_newest then [] else newest in
      let after = Busy { newest = newest_left; count = count - n } in
      if not (Atomic.compare_and_set q.state before after) then take q ~max
      else begin
        let items = if takes_newest then q.kept @ List.rev newest else q.kept in
        q.kept_count <- (if takes_newest then count else q.kept_count) - n;
        q.kept <- List.drop n items;
        Young.of_list n items
      end

let rec leave q =
  match Atomic.get q.state with
  | Free | Left _ -> assert false
  | Busy ({ count; _ } as items) as before ->
      if Atomic.compare_and_set q.state before (if count = 0 then Free else Left items) then count
      else leave q

let[@inline] stop_serving q =
  if Atomic.get q.state == alone && Atomic.compare_and_set q.state alone Free then 0 else leave q
