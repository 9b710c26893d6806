let find_map f a =
  let rec look i hi =
    if i > hi then None
    else match f (Array.unsafe_get a i) with None -> look (i + 1) hi | Some _ as found -> found
  in
  First.search (Array.length a) look

let rec look_for f a i hi =
  if i > hi then None else if f (Array.unsafe_get a i) then Some i else look_for f a (i + 1) hi

let find_index f a = First.search (Array.length a) (fun lo hi -> look_for f a lo hi)
let find_opt f a = Option.map (Array.unsafe_get a) (find_index f a)
let exists f a = Option.is_some (find_index f a)

let for_all f a =
  let rec look i hi =
    if i > hi then None else if f (Array.unsafe_get a i) then look (i + 1) hi else Some ()
  in
  Option.is_none (First.search (Array.length a) look)

let mem x a = exists (fun y -> compare x y = 0) a

let is_sorted cmp a =
  let rec look i hi =
    if i > hi then None
    else if cmp (Array.unsafe_get a i) (Array.unsafe_get a (i + 1)) > 0 then Some ()
    else look (i + 1) hi
  in
  Option.is_none (First.search (Array.length a - 1) look)
