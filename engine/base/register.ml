type 'a t = { members : 'a list; length : int; cleared_at : int }

let fewest = 16
let empty = { members = []; length = 0; cleared_at = fewest }
let members r = r.members

let clear ~still r =
  let members = List.filter still r.members in
  let length = List.length members in
  { members; length; cleared_at = Int.max fewest length }

let add ~still r x =
  let r = if r.length >= 2 * r.cleared_at then clear ~still r else r in
  { r with members = x :: r.members; length = r.length + 1 }
