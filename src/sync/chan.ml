(* Select: waits at several channels for what comes first.

   1. It tries each case. One that is possible now is performed, and that is all.
   2. Else it gets in line at each channel, with one seat for all cases: so it is given something for one
      of them only.
   3. If it finds on the way that one has become possible, it dismisses itself, and starts again: so it
      never takes part in two exchanges. As all get in line in the order of the channels, of two that are
      in each other's way only the one that is less far starts again.
   4. When it was given something, or a channel was closed, it leaves the lines. *)

include Channel

type 'r case = Receive : 'a t * ('a -> 'r) -> 'r case | Send : 'a t * 'a * (unit -> 'r) -> 'r case

let receiving c f = Receive (c, f)
let sending c v f = Send (c, v, f)

(* What is left to do when a case was performed: outside of the section, for it is the user's. *)
type 'r outcome = unit -> 'r

(* A case in line. *)
type branch = { id : int; sends : bool; join : unit -> bool; leave : unit -> unit }

let branch_at (c : 'a t) seat served message =
  let party = Party { seat; served; message; ticket = 0 } in
  {
    id = c.id;
    sends = Option.is_some message;
    join = (fun () -> queue c party);
    leave = (fun () -> remove c party);
  }

let branch seat = function
  | Receive (c, f) -> branch_at c seat (fun v () -> f v) None
  | Send (c, v, f) -> branch_at c seat (fun _ -> f) (Some v)

(* In the order of the channels. *)
let branches seat cases =
  let sorted = List.stable_sort (fun a b -> Int.compare a.id b.id) (List.map (branch seat) cases) in
  let rec check = function
    | a :: (b :: _ as rest) ->
        if a.id = b.id && a.sends <> b.sends then
          invalid_arg "Drover.Chan.select: sends to and receives from the same channel";
        check rest
    | [ _ ] | [] -> ()
  in
  check sorted;
  sorted

(* [None] if it would have to wait. Raises [Closed]. *)
let perform : 'r case -> 'r outcome option = function
  | Receive (c, f) -> Option.map (fun v () -> f v) (take c 1)
  | Send (c, v, f) -> if offer c v 1 then Some f else None

(* The outcome of the first case that is possible, or those whose channels are open. *)
let rec first_possible waiting = function
  | [] -> Error waiting
  | case :: cases -> (
      match perform case with
      | Some outcome -> Ok outcome
      | None -> first_possible (case :: waiting) cases
      | exception Closed -> first_possible waiting cases)

(* Each time another case is tried first, so that one that is always possible does not starve the
   others. The first channel's turn goes on by the golden section of a circle, so that all cases come
   first equally often also when several selects take turns at that channel. A race does no harm. *)

let circle = 1 lsl 30
let golden_section = 663608941

let rotate cases =
  let next c =
    c.turn <- (c.turn + golden_section) land (circle - 1);
    c.turn
  in
  match cases with
  | [] | [ _ ] -> cases
  | first :: _ ->
      let turn = match first with Receive (c, _) -> next c | Send (c, _, _) -> next c in
      let skip = turn * List.length cases / circle in
      List.drop skip cases @ List.take skip cases

let rec choose cases =
  match first_possible [] (rotate cases) with
  | Ok outcome -> outcome
  | Error [] -> raise Closed
  | Error waiting -> (
      let seat = Seat.create () in
      let branches = branches seat waiting in
      let leave () = List.iter (fun branch -> branch.leave ()) branches in
      let join () = List.for_all (fun branch -> branch.join ()) branches in
      let outcome = Seat.wait seat ~join ~leave in
      leave ();
      match outcome with Given outcome -> outcome | Open | Gone -> choose cases)

let select cases = (Section.run choose cases) ()
