(* Lobby: a line behind one atomic. *)

type 'w t = 'w Line.t Atomic.t

let create () = Atomic.make Line.empty

(* Publishes who enters; pairs with the reads in [first] and [look]. *)
let rec enter l place =
  let before = Atomic.get l in
  if not (Atomic.compare_and_set l before (Line.join before place)) then enter l place

let rec leave l place =
  let before = Atomic.get l in
  let after = Line.leave before place in
  if not (after == before || Atomic.compare_and_set l before after) then leave l place

let first l = Line.first (Atomic.get l)
let look = Atomic.get
let enter_after l before place = Atomic.compare_and_set l before (Line.join before place)
let clear l before = Atomic.compare_and_set l before Line.empty

let[@poll error] step l before after is_out =
  Atomic.compare_and_set l before after
  && begin
    is_out := true;
    true
  end

let rec withdraw l place is_out =
  let before = Atomic.get l in
  let after = Line.leave before place in
  if not (after == before || step l before after is_out) then withdraw l place is_out
