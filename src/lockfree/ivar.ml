(* Write-once cell.

   Empty ks --on_fill k--> Empty (k :: ks) --fill v--> Full v

   The last step is made at most once. Whoever makes it calls the waiters; a waiter that comes later
   finds the cell full and is called at once. *)

type 'a state =
  | Empty of (unit -> unit) list
  (* newest first *)
  | Full of 'a

type 'a t = 'a state Atomic.t

let create () = Atomic.make (Empty [])
let full v = Atomic.make (Full v)
let peek c = match Atomic.get c with Full v -> Some v | Empty _ -> None

let rec fill c v =
  match Atomic.get c with
  | Full _ -> false
  | Empty waiters as empty ->
      (* Publishes [v]; pairs with the reads in [peek] and [on_fill]. *)
      if Atomic.compare_and_set c empty (Full v) then begin
        List.iter (fun k -> k ()) (List.rev waiters);
        true
      end
      else fill c v

let rec on_fill c k =
  match Atomic.get c with
  | Full _ -> k ()
  | Empty waiters as empty ->
      if not (Atomic.compare_and_set c empty (Empty (k :: waiters))) then on_fill c k
