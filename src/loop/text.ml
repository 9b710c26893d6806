(* Text: strings, searched and split by blocks. What belongs to a place can be told from the
   place and the one before it, so blocks need nothing from each other. *)

let count f s =
  Fold.over (String.length s)
    ~init:(fun () -> 0)
    ~merge:( + )
    (fun acc lo hi ->
      let n = ref acc in
      for i = lo to hi do
        n := !n + Bool.to_int (f (String.unsafe_get s i))
      done;
      !n)

let look_for f s lo hi =
  let i = ref lo in
  while !i <= hi && not (f (String.unsafe_get s !i)) do
    incr i
  done;
  if !i > hi then None else Some !i

let find_index f s = First.search (String.length s) (fun lo hi -> look_for f s lo hi)

let rec matches sub s at i =
  i = String.length sub
  || (String.unsafe_get sub i = String.unsafe_get s (at + i) && matches sub s at (i + 1))

(* Most places are not looked at twice. *)
let rec look_for_sub first sub s i hi =
  if i > hi then None
  else if String.unsafe_get s i = first && matches sub s i 1 then Some i
  else look_for_sub first sub s (i + 1) hi

let find ~sub s =
  if sub = "" then Some 0
  else
    let n = String.length s - String.length sub + 1 in
    let look lo hi = look_for_sub sub.[0] sub s lo hi in
    if Spread.is_light n then look 0 (n - 1) else First.search n look

(* The run that has the start of a line or a word has all of it. [skip is_end i hi] is behind the rest of
   one that begins before [i], or behind [hi]. *)
let rec skip s is_end i hi =
  if i <= hi && not (is_end (String.unsafe_get s i)) then skip s is_end (i + 1) hi else i

let rec line_end s i n = if i < n && String.unsafe_get s i <> '\n' then line_end s (i + 1) n else i

(* [step acc] of the lines that start in [lo, hi], and so below. *)
let step_lines s step acc lo hi =
  let n = String.length s in
  let rec go acc start =
    if start > hi then acc
    else
      let stop = line_end s start n in
      go (step acc (String.sub s start (stop - start))) (stop + 1)
  in
  go acc (if lo = 0 then 0 else 1 + skip s (Char.equal '\n') (lo - 1) hi)

let is_space = function ' ' | '\t' | '\n' | '\011' | '\012' | '\r' -> true | _ -> false

let rec word_end s i n =
  if i < n && not (is_space (String.unsafe_get s i)) then word_end s (i + 1) n else i

let step_words s step acc lo hi =
  let n = String.length s in
  let rec go acc i =
    if i > hi then acc
    else if is_space (String.unsafe_get s i) then go acc (i + 1)
    else
      let stop = word_end s (i + 1) n in
      go (step acc (String.sub s i (stop - i))) (stop + 1)
  in
  go acc (if lo = 0 then 0 else skip s is_space (lo - 1) hi)

let fold_lines ~init ~merge step s =
  Fold.over (String.length s) ~init ~merge (fun acc lo hi -> step_lines s step acc lo hi)

let fold_words ~init ~merge step s =
  Fold.over (String.length s) ~init ~merge (fun acc lo hi -> step_words s step acc lo hi)

let pushed b piece =
  Collect.push b piece;
  b

let collect steps s =
  let n = String.length s and step b lo hi = ignore (steps s pushed b lo hi : _ Collect.t) in
  if Spread.is_light n then Collect.alone (fun b -> step b 0 (n - 1)) else Collect.over n step

let lines s = collect step_lines s
let words s = collect step_words s
let fold_lines_of_file = File_lines.fold
