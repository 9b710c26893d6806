(* Loops, not recursion: what a call of the user's function keeps is not moved for each element. *)

let look_for f a lo hi =
  let i = ref lo in
  while !i <= hi && not (f (Array.unsafe_get a !i)) do
    incr i
  done;
  if !i > hi then None else Some !i

let find_index f a = First.search (Array.length a) (fun lo hi -> look_for f a lo hi)
let find_opt f a = Option.map (Array.unsafe_get a) (find_index f a)
let exists f a = Option.is_some (find_index f a)

let find_map f a =
  let rec look i hi =
    if i > hi then None
    else match f (Array.unsafe_get a i) with None -> look (i + 1) hi | Some _ as found -> found
  in
  First.search (Array.length a) look

let for_all f a =
  let look lo hi =
    let i = ref lo in
    while !i <= hi && f (Array.unsafe_get a !i) do
      incr i
    done;
    if !i > hi then None else Some ()
  in
  Option.is_none (First.search (Array.length a) look)

let mem x a =
  let look lo hi =
    let i = ref lo in
    while !i <= hi && compare (Array.unsafe_get a !i) x <> 0 do
      incr i
    done;
    if !i > hi then None else Some ()
  in
  Option.is_some (First.search (Array.length a) look)

let is_sorted cmp a =
  let look lo hi =
    let i = ref lo in
    while !i <= hi && cmp (Array.unsafe_get a !i) (Array.unsafe_get a (!i + 1)) <= 0 do
      incr i
    done;
    if !i > hi then None else Some ()
  in
  Option.is_none (First.search (Array.length a - 1) look)
