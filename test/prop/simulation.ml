(* A discrete-event simulation of the work-stealing scheduler: what a program of forks and joins
   takes on any number of workers.

   A fork puts its right side at the young end of the worker's deque and goes on with the left one;
   at the join the worker takes the right side back if it is still there. Otherwise whoever ends
   last goes on after the join. A worker with nothing to do takes the oldest item of a random
   deque: that takes [steal] from the moment when it runs out of work, or when a push wakes it. *)

type program = Strand of int | In_turn of program list | Fork of program * program

type worker = { mutable items : item list (* youngest first *) }
and item = { body : program; join : join }
and join = { mutable ended : int; next : worker -> unit }

module Events = Map.Make (struct
  type t = int * int

  let compare = compare
end)

type t = {
  workers : worker array;
  rng : Random.State.t;
  steal : int;
  mutable now : int;
  mutable events : (unit -> unit) Events.t;
  mutable number : int; (* of the next event, which tells those of one moment apart *)
  mutable idle : worker list;
}

let after s time event =
  s.events <- Events.add (s.now + time, s.number) event s.events;
  s.number <- s.number + 1

let rec take_last = function
  | [] -> None
  | [ item ] -> Some (item, [])
  | item :: older -> Option.map (fun (oldest, rest) -> (oldest, item :: rest)) (take_last older)

let rec look s thief =
  let n = Array.length s.workers in
  let first = Random.State.int s.rng n in
  let rec go i =
    if i = n then s.idle <- thief :: s.idle
    else
      let victim = s.workers.((first + i) mod n) in
      match take_last victim.items with
      | None -> go (i + 1)
      | Some (item, rest) ->
          victim.items <- rest;
          run s thief item.body (end_of s item.join)
  in
  go 0

and search s w = after s s.steal (fun () -> look s w)

(* One side of a fork has ended. *)
and end_of s join w =
  join.ended <- join.ended + 1;
  if join.ended = 2 then join.next w else search s w

and run s w program next =
  match program with
  | Strand time -> after s time (fun () -> next w)
  | In_turn [] -> next w
  | In_turn (first :: rest) -> run s w first (fun w -> run s w (In_turn rest) next)
  | Fork (left, right) -> fork s w left right next

and fork s w left right next =
  let join = { ended = 0; next } in
  let item = { body = right; join } in
  w.items <- item :: w.items;
  (match s.idle with
  | [] -> ()
  | sleeper :: others ->
      s.idle <- others;
      search s sleeper);
  run s w left (fun w ->
      match w.items with
      | youngest :: rest when youngest == item ->
          w.items <- rest;
          run s w right next
      | _ -> end_of s join w)

(* The time that [program] takes. *)
let time program ~workers ~steal ~seed =
  let s =
    {
      workers = Array.init workers (fun _ -> { items = [] });
      rng = Random.State.make [| seed |];
      steal;
      now = 0;
      events = Events.empty;
      number = 0;
      idle = [];
    }
  in
  let ended = ref None in
  run s s.workers.(0) program (fun _ -> ended := Some s.now);
  for i = 1 to workers - 1 do
    search s s.workers.(i)
  done;
  let rec go () =
    match !ended with
    | Some time -> time
    | None ->
        let ((time, _) as key), event = Events.min_binding s.events in
        s.events <- Events.remove key s.events;
        s.now <- time;
        event ();
        go ()
  in
  go ()
