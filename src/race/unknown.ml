(* Each interval has the rest, and a jump to one further down, as in Myers, "An applicative random-access stack" (1983): two
   jumps of one length become one of twice that. So a search takes logarithmic time, and to add one constant. *)

type t = Nil | Interval of { first : int; behind : int; rest : t; jump : t; count : int }

let count = function Nil -> 0 | Interval { count; _ } -> count
let jump = function Nil -> Nil | Interval { jump; _ } -> jump

let interval first behind rest =
  let over = jump rest in
  let far = jump over in
  let are_equal = count rest - count over = count over - count far in
  Interval { first; behind; rest; jump = (if are_equal then far else rest); count = 1 + count rest }

(* The highest that begins at [epoch] or below. *)
let rec search epoch first behind rest jump =
  if epoch >= first then epoch < behind
  else
    match jump with
    | Interval far when epoch < far.first -> search epoch far.first far.behind far.rest far.jump
    | Nil | Interval _ -> (
        match rest with
        | Nil -> false
        | Interval next -> search epoch next.first next.behind next.rest next.jump)

let[@inline] mem epoch s =
  match s with
  | Nil -> false
  | Interval { first; behind; rest; jump; _ } ->
      if epoch >= first then epoch < behind else search epoch first behind rest jump

let add first behind s =
  if behind <= first then s
  else
    match s with
    | Interval high when high.behind >= first ->
        Interval { high with behind = Int.max high.behind behind }
    | Nil | Interval _ -> interval first behind s

let from first s = add first max_int s

let rec inter a b =
  if a == b then a
  else
    match (a, b) with
    | Nil, _ | _, Nil -> Nil
    | Interval x, Interval y ->
        let first = Int.max x.first y.first and behind = Int.min x.behind y.behind in
        let rest =
          if x.first > y.first then inter x.rest b
          else if x.first < y.first then inter a y.rest
          else inter x.rest y.rest
        in
        if first >= behind then rest
        else if first = x.first && behind = x.behind && rest == x.rest then a
        else interval first behind rest

let rec highest n = function
  | Interval { first; behind; rest; _ } when n > 0 -> interval first behind (highest (n - 1) rest)
  | Nil | Interval _ -> Nil

let most = 256
let bounded s = if count s > 2 * most then highest most s else s
