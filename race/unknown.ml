type t = Nil | Interval of { first : int; behind : int; rest : t }

let rec mem epoch = function
  | Nil -> false
  | Interval { first; behind; rest } -> epoch < behind && (epoch >= first || mem epoch rest)

let add first behind s =
  if behind <= first then s
  else
    match s with
    | Interval high when high.behind >= first ->
        Interval { high with behind = Int.max high.behind behind }
    | Nil | Interval _ -> Interval { first; behind; rest = s }

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
        else Interval { first; behind; rest }
