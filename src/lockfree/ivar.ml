(* Write-once cell.

   Empty waiters --sit--> Empty (one more) --fill v--> Full v

   The filler that makes the last step calls the waiters; a waiter that comes later finds the cell full
   and is called at once.

   A waiter that stands up is forgotten at once, but for its seat. Empty seats are cleared away when there
   are twice as many seats as after the last time. *)

(* In a list, newest first. What is linked past an empty seat may be linked through it again, by a waiter
   that read the list before: either will do. *)
type seat = { mutable call : unit -> unit; mutable next : seat }
type 'a state = Empty of { newest : seat; length : int; cleared_at : int } | Full of 'a
type 'a t = 'a state Atomic.t

let no_call () = ()
let rec nobody = { call = no_call; next = nobody }
let seat () = { call = no_call; next = nobody }
let empty = Empty { newest = nobody; length = 0; cleared_at = 1 }
let create () = Atomic.make empty
let full v = Atomic.make (Full v)
let[@inline] is_full c = match Atomic.get c with Full _ -> true | Empty _ -> false
let[@inline] get c = match Atomic.get c with Full v -> v | Empty _ -> invalid_arg "Ivar.get"
let[@inline] peek c = match Atomic.get c with Full v -> Some v | Empty _ -> None

let rec oldest_first seats seat =
  if seat == nobody then seats else oldest_first (seat :: seats) seat.next

let rec fill c v =
  match Atomic.get c with
  | Full _ -> false
  | Empty { newest; _ } as empty ->
      (* Publishes [v]; pairs with the reads in [peek] and [sit]. *)
      if Atomic.compare_and_set c empty (Full v) then begin
        let call_all newest = List.iter (fun seat -> seat.call ()) (oldest_first [] newest) in
        if newest != nobody then Shared.insist call_all newest;
        true
      end
      else fill c v

(* The newest has just been taken. [call] is plain: a seat that becomes empty meanwhile may stay until
   the next time. *)
let without_empty_seats newest =
  let taken = List.filter (fun seat -> seat.call != no_call) (oldest_first [] newest) in
  let link next seat =
    seat.next <- next;
    seat
  in
  let length = List.length taken in
  Empty { newest = List.fold_left link nobody taken; length; cleared_at = length }

let rec sit c seat k =
  match Atomic.get c with
  | Full _ -> k ()
  | Empty w as empty ->
      seat.call <- k;
      if seat.next != w.newest then seat.next <- w.newest;
      let after =
        if w.length >= 2 * w.cleared_at then without_empty_seats seat
        else Empty { w with newest = seat; length = w.length + 1 }
      in
      if not (Atomic.compare_and_set c empty after) then sit c seat k

let on_fill c k = sit c (seat ()) k

(* Plain: a filler may call the waiter that stands up meanwhile; and a waiter may just be about to sit
   when another calls this, so it looks whether to stand up when it sits. *)
let stand_up seat = seat.call <- no_call
