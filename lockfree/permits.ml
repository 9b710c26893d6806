(* Permits: all in one atomic.

   Free n --> Free (n - 1) ... Free 1 --> None_free --join--> Line, and back when the last has left.
   A step between few permits and none allocates nothing: what locks do most of the time. Probe:
   mutex.

   A permit is in [state] or in a hand; each step that moves one from here to there is one step for
   both. *)

type 'w state = None_free | Free of int | Line of { line : 'w Line.t; free : int } (* not empty *)
type 'w t = { most : int; state : 'w state Atomic.t }
type release = Kept | Too_many | Contended
type hand = { mutable held : int }

let most_few = 4

(* Constants; 4 stands for no other number. *)
let[@inline] few = function 0 -> None_free | 1 -> Free 1 | 2 -> Free 2 | 3 -> Free 3 | _ -> Free 4
let[@inline] freed n = if n <= most_few then few n else Free n
let create ~most n = { most; state = Atomic.make (freed n) }

let[@inline] free p =
  match Atomic.get p.state with None_free -> 0 | Free n -> n | Line { free; _ } -> free

(* [before] with [n] permits more. *)
let[@inline] plus before n =
  match before with
  | None_free -> freed n
  | Free free -> freed (free + n)
  | Line { line; free } -> Line { line; free = free + n }

let rec try_acquire p =
  let before = Atomic.get p.state in
  match before with
  | None_free | Line { free = 0; _ } -> false
  | Free _ | Line _ -> Atomic.compare_and_set p.state before (plus before (-1)) || try_acquire p

let rec release p =
  match Atomic.get p.state with
  | None_free -> if Atomic.compare_and_set p.state None_free (freed 1) then Kept else release p
  | Free n when n >= p.most -> Too_many
  | Free n as before ->
      if Atomic.compare_and_set p.state before (freed (n + 1)) then Kept else release p
  | Line _ -> Contended

let[@inline] none_free p = Atomic.get p.state == None_free

let[@inline] release_only p =
  match Atomic.get p.state with
  | None_free -> Atomic.compare_and_set p.state None_free (few 1)
  | Free n as before when n < p.most && n < most_few ->
      Atomic.compare_and_set p.state before (few (n + 1))
  | Free _ | Line _ -> false

let[@poll error] move p before after hand n =
  Atomic.compare_and_set p.state before after
  && begin
    hand.held <- hand.held + n;
    true
  end

let rec take p hand =
  let before = Atomic.get p.state in
  match before with
  | None_free | Line { free = 0; _ } -> false
  | Free _ | Line _ -> move p before (plus before (-1)) hand 1 || take p hand

let rec put p hand =
  let before = Atomic.get p.state in
  match before with
  | (Free free | Line { free; _ }) when free >= p.most -> false
  | None_free | Free _ | Line _ -> move p before (plus before 1) hand (-1) || put p hand

let rec join p place hand =
  let enter before line =
    (* Publishes the place; pairs with the read in [first]. *)
    let after = Line { line = Line.join line place; free = 0 } in
    if not (Atomic.compare_and_set p.state before after) then join p place hand
  in
  match Atomic.get p.state with
  | None_free as before -> enter before Line.empty
  | Line { line; free = 0 } as before -> enter before line
  | Free _ | Line _ -> if not (take p hand) then join p place hand

let rec leave p place =
  match Atomic.get p.state with
  | None_free | Free _ -> ()
  | Line { line; free } as before ->
      let rest = Line.leave line place in
      let after = if Line.is_empty rest then freed free else Line { line = rest; free } in
      if not (rest == line || Atomic.compare_and_set p.state before after) then leave p place

let waiting p =
  match Atomic.get p.state with None_free | Free _ -> 1 | Line { line; _ } -> Line.length line

let first p =
  match Atomic.get p.state with None_free | Free _ -> None | Line { line; _ } -> Line.first line
