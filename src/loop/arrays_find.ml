let find_map f a = First.map (fun i -> f (Array.unsafe_get a i)) (Array.length a)

let find_opt f a =
  First.map
    (fun i ->
      let x = Array.unsafe_get a i in
      if f x then Some x else None)
    (Array.length a)

let find_index f a =
  First.map (fun i -> if f (Array.unsafe_get a i) then Some i else None) (Array.length a)

let exists f a = Option.is_some (find_index f a)
let for_all f a = not (exists (fun x -> not (f x)) a)
let mem x a = exists (fun y -> compare x y = 0) a

let is_sorted cmp a =
  let out_of_order i =
    if cmp (Array.unsafe_get a i) (Array.unsafe_get a (i + 1)) > 0 then Some () else None
  in
  Option.is_none (First.map out_of_order (Array.length a - 1))
