(* Lobby: a line behind one atomic. Open line --close--> Closed. *)

type 'w state = Open of 'w Line.t | Closed
type 'w t = 'w state Atomic.t
type 'w meeting = Waits of int | Met of 'w list

let create () = Atomic.make (Open Line.empty)

(* Publishes who enters; pairs with the reads in [next] and in [take_all]. *)
let rec enter l w =
  match Atomic.get l with
  | Closed -> None
  | Open line as before ->
      let ticket, after = Line.join line w in
      if Atomic.compare_and_set l before (Open after) then Some ticket else enter l w

let rec meet l ~parties w =
  match Atomic.get l with
  | Closed -> assert false (* nobody closes where parties meet *)
  | Open line as before when Line.length line + 1 = parties ->
      if Atomic.compare_and_set l before (Open Line.empty) then Met (Line.to_list line)
      else meet l ~parties w
  | Open line as before ->
      let ticket, after = Line.join line w in
      if Atomic.compare_and_set l before (Open after) then Waits ticket else meet l ~parties w

let rec leave l ticket w =
  match Atomic.get l with
  | Closed -> ()
  | Open line as before ->
      let after = Line.leave line ticket w in
      if not (after == line || Atomic.compare_and_set l before (Open after)) then leave l ticket w

let rec next l =
  match Atomic.get l with
  | Closed -> None
  | Open line as before -> (
      match Line.next line with
      | None -> None
      | Some (w, rest) -> if Atomic.compare_and_set l before (Open rest) then Some w else next l)

let take_all l state =
  match Atomic.exchange l state with Open line -> Line.to_list line | Closed -> []

let rec all l =
  match Atomic.get l with
  | Closed -> []
  | Open line when Line.is_empty line -> []
  | Open line as before ->
      if Atomic.compare_and_set l before (Open Line.empty) then Line.to_list line else all l

let close l = take_all l Closed
let is_closed l = match Atomic.get l with Closed -> true | Open _ -> false
