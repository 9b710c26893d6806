(* Select: waits at several channels for what comes first.

   1. It tries each case. One that is possible now is performed, and that is all.
   2. Else it gets in line at each channel, with one seat for all cases: so it is given something for one
      of them only.
   3. If it finds on the way that one has become possible, it dismisses itself, and starts again: so it
      never takes part in two exchanges. As all get in line in the order of the channels, of two that are
      in each other's way only the one that is less far starts again.
   4. When it was given something, or a channel was closed, it leaves the lines. *)

include Exchange

type 'r case = Receive : 'a t * ('a -> 'r) -> 'r case | Send : 'a t * 'a * (unit -> 'r) -> 'r case

let receiving c f = Receive (c, f)
let sending c v f = Send (c, v, f)

(* A case in line. *)
type branch = Branch : 'a t * 'a party -> branch

(* In the order of the channels. *)
let branches seat cases =
  let branch = function
    | Receive (c, f) ->
        Branch (c, Party { seat; served = (fun v () -> f v); message = None; ticket = 0 })
    | Send (c, v, f) ->
        Branch (c, Party { seat; served = (fun _ -> f); message = Some v; ticket = 0 })
  and by_channel (Branch (a, _)) (Branch (b, _)) = Int.compare a.id b.id in
  let rec check = function
    | Branch (a, Party p) :: (Branch (b, Party q) :: _ as rest) ->
        if a.id = b.id && Option.is_some p.message <> Option.is_some q.message then
          invalid_arg "Drover.Chan.select: sends to and receives from the same channel";
        check rest
    | [ _ ] | [] -> ()
  in
  let sorted = List.stable_sort by_channel (List.map branch cases) in
  check sorted;
  sorted

(* The first case that is possible is performed: the result is what is left to do outside of the section,
   for it is the user's. Else it is the cases whose channels are open. *)
let rec first_possible waiting = function
  | [] -> Error waiting
  | case :: cases -> (
      let perform : 'r case -> (unit -> 'r) option = function
        | Receive (c, f) -> Option.map (fun v () -> f v) (take c 1)
        | Send (c, v, f) -> if offer c v 1 then Some f else None
      in
      match perform case with
      | Some outcome -> Ok outcome
      | None -> first_possible (case :: waiting) cases
      | exception Closed -> first_possible waiting cases)

(* Each time another case is tried first, so that one that is always possible does not starve the
   others. The first channel's offset goes on by the golden section of a circle, so that all cases come
   first equally often also when several selects begin with that channel. A race does no
   harm. *)
let rotate = function
  | ([] | [ _ ]) as cases -> cases
  | first :: _ as cases ->
      let circle = 1 lsl 30 and golden_section = 663608941 in
      let next c =
        c.offset <- (c.offset + golden_section) land (circle - 1);
        c.offset
      in
      let offset = match first with Receive (c, _) -> next c | Send (c, _, _) -> next c in
      let skip = offset * List.length cases / circle in
      List.drop skip cases @ List.take skip cases

let rec choose cases =
  match first_possible [] (rotate cases) with
  | Ok outcome -> outcome
  | Error [] -> raise Closed
  | Error waiting -> (
      let seat = Seat.create () in
      let branches = branches seat waiting in
      let join () = List.for_all (fun (Branch (c, party)) -> queue c party) branches
      and remove () = List.iter (fun (Branch (c, party)) -> remove c party) branches in
      let outcome = Seat.wait "selects from channels" seat ~join ~remove in
      remove ();
      match outcome with Given outcome -> outcome | Open | Gone -> choose cases)

let select cases =
  Point.pass ();
  (Section.run choose cases) ()
