(* Permits: all in one atomic.

   Free n --> Free (n - 1) ... Free 1 --> None_free --acquire--> Line, and back by release. The line
   is not empty. A step between Free 1 and None_free allocates nothing: what a mutex does most of
   the time. Probe: mutex. *)

type 'w state = None_free | Free of int | Line of 'w Line.t
type 'w t = { most : int; state : 'w state Atomic.t }
type wish = Granted | Queued of int
type 'w gift = Kept | For of 'w | Too_many

let freed = function 0 -> None_free | 1 -> Free 1 | n -> Free n
let create ~most n = { most; state = Atomic.make (freed n) }
let free p = match Atomic.get p.state with Free n -> n | None_free | Line _ -> 0

let rec try_acquire p =
  match Atomic.get p.state with
  | None_free | Line _ -> false
  | Free n as before -> Atomic.compare_and_set p.state before (freed (n - 1)) || try_acquire p

(* The line that the state stands for, and the state that stands for it. *)
let line = function Line line -> line | None_free | Free _ -> Line.empty
let lined line = if Line.is_empty line then None_free else Line line

let rec acquire p w =
  if try_acquire p then Granted
  else
    match Atomic.get p.state with
    | Free _ -> acquire p w
    | (None_free | Line _) as before ->
        let ticket, after = Line.join (line before) w in
        (* Publishes [w]; pairs with the read in [release]. *)
        if Atomic.compare_and_set p.state before (Line after) then Queued ticket else acquire p w

let rec leave p ticket w =
  match Atomic.get p.state with
  | None_free | Free _ -> ()
  | Line line as before ->
      let after = Line.leave line ticket w in
      if not (after == line || Atomic.compare_and_set p.state before (lined after)) then
        leave p ticket w

let rec release p =
  match Atomic.get p.state with
  | Free n when n >= p.most -> Too_many
  | (None_free | Free _) as before ->
      let n = match before with Free n -> n | None_free | Line _ -> 0 in
      if Atomic.compare_and_set p.state before (freed (n + 1)) then Kept else release p
  | Line line as before -> (
      match Line.next line with
      | None -> assert false (* the line is not empty *)
      | Some (w, rest) ->
          if Atomic.compare_and_set p.state before (lined rest) then For w else release p)
