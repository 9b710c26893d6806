(* Write-once cell.

   Empty waiters --sit--> Empty (one more) --fill v--> Full v

   The last step is made at most once. Whoever makes it calls the waiters; a waiter that comes later
   finds the cell full and is called at once.

   Whoever leaves is forgotten at once, but for the seat; when more than half of the seats are empty,
   they are cleared away. *)

(* In a list, newest first. What is linked past an empty seat may be linked through it again, by who
   read the list before: either will do. *)
type seat = { mutable call : unit -> unit; mutable next : seat }
type 'a state = Empty of { newest : seat; length : int; left : int } | Full of 'a
type 'a t = 'a state Atomic.t

let no_call () = ()
let rec nobody = { call = no_call; next = nobody }
let seat () = { call = no_call; next = nobody }

(* [call] is plain. Whoever fills the cell while a waiter leaves calls it or does not: a waiter that
   leaves must bear to be called. Whoever clears seats away meanwhile keeps one that has just been
   left, until the next time. *)
let is_taken seat = seat.call != no_call
let empty = Empty { newest = nobody; length = 0; left = 0 }
let create () = Atomic.make empty
let full v = Atomic.make (Full v)
let[@inline] is_full c = match Atomic.get c with Full _ -> true | Empty _ -> false
let[@inline] get c = match Atomic.get c with Full v -> v | Empty _ -> invalid_arg "Ivar.get"
let[@inline] peek c = match Atomic.get c with Full v -> Some v | Empty _ -> None

let rec oldest_first seats seat =
  if seat == nobody then seats else oldest_first (seat :: seats) seat.next

let call_all newest = List.iter (fun seat -> seat.call ()) (oldest_first [] newest)

let rec fill c v =
  match Atomic.get c with
  | Full _ -> false
  | Empty { newest; _ } as empty ->
      let full = Full v in
      (* Publishes [v]; pairs with the reads in [peek] and [add]. *)
      if Atomic.compare_and_set c empty full then begin
        if newest != nobody then Stubborn.call call_all newest;
        true
      end
      else fill c v

let rec add c seat =
  match Atomic.get c with
  | Full _ -> seat.call ()
  | Empty w as empty ->
      if seat.next != w.newest then seat.next <- w.newest;
      let after = Empty { w with newest = seat; length = w.length + 1 } in
      if not (Atomic.compare_and_set c empty after) then add c seat

let sit c seat k =
  seat.call <- k;
  add c seat

let on_fill c k = add c { call = k; next = nobody }

let without_empty_seats newest =
  let link next seat =
    seat.next <- next;
    seat
  in
  let taken = List.filter is_taken (oldest_first [] newest) in
  Empty { newest = List.fold_left link nobody taken; length = List.length taken; left = 0 }

let rec count_left c =
  match Atomic.get c with
  | Full _ -> ()
  | Empty w as empty ->
      let left = w.left + 1 in
      let after =
        if 2 * left > w.length then without_empty_seats w.newest else Empty { w with left }
      in
      if not (Atomic.compare_and_set c empty after) then count_left c

let leave c seat =
  if is_taken seat then begin
    seat.call <- no_call;
    count_left c
  end
