type t = Nil | Interval of { first : int; behind : int; rest : t; count : int }

let count = function Nil -> 0 | Interval { count; _ } -> count
let interval first behind rest = Interval { first; behind; rest; count = 1 + count rest }

let rec mem epoch = function
  | Nil -> false
  | Interval { first; behind; rest; _ } -> epoch < behind && (epoch >= first || mem epoch rest)

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

let most = 1024
let bounded s = if count s > 2 * most then highest most s else s
