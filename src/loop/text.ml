(* Text: strings, searched and split by blocks. What belongs to a place can be told from the
   place and the one before it, so blocks need nothing from each other. *)

let divide s = Blocks.divide ~least:Blocks.light (String.length s)

let count f s =
  Blocks.reduce (divide s) ~init:0 ~combine:( + ) (fun lo hi ->
      let n = ref 0 in
      for i = lo to hi do
        n := !n + Bool.to_int (f (String.unsafe_get s i))
      done;
      !n)

let find_index f s =
  First.map (fun i -> if f (String.unsafe_get s i) then Some i else None) (String.length s)

let rec matches sub s at i =
  i = String.length sub
  || (String.unsafe_get sub i = String.unsafe_get s (at + i) && matches sub s at (i + 1))

let find ~sub s =
  First.map
    (fun i -> if matches sub s i 0 then Some i else None)
    (String.length s - String.length sub + 1)

(* The pieces of [s] that start where [starts i] says so, each up to [stop start]. *)
let split s starts stop =
  let places =
    Collect.over (String.length s) (fun b lo hi ->
        for i = lo to hi do
          if starts i then Collect.push b i
        done)
  in
  Arrays_map.map (fun start -> String.sub s start (stop start - start)) places

let lines s =
  let starts i = i = 0 || String.unsafe_get s (i - 1) = '\n' in
  let stop start = Option.value (String.index_from_opt s start '\n') ~default:(String.length s) in
  split s starts stop

(* Whoever has the start of a line or a word has all of it. [skip is_end lo hi] is behind the rest of
   one that begins before [lo], or behind [hi]. *)
let rec skip s is_end i hi =
  if i <= hi && not (is_end (String.unsafe_get s i)) then skip s is_end (i + 1) hi else i

let fold_lines ~init ~merge step s =
  let n = String.length s and is_end c = c = '\n' in
  let rec go acc start hi =
    if start > hi then acc
    else
      let stop = Option.value (String.index_from_opt s start '\n') ~default:n in
      go (step acc (String.sub s start (stop - start))) (stop + 1) hi
  in
  Fold.over n ~init ~merge (fun acc lo hi ->
      go acc (if lo = 0 then 0 else 1 + skip s is_end (lo - 1) hi) hi)

let is_space = function ' ' | '\t' | '\n' | '\011' | '\012' | '\r' -> true | _ -> false

let words s =
  let is_word i = not (is_space (String.unsafe_get s i)) in
  let starts i = is_word i && (i = 0 || not (is_word (i - 1))) in
  let rec stop i = if i < String.length s && is_word i then stop (i + 1) else i in
  split s starts stop

let fold_words ~init ~merge step s =
  let n = String.length s in
  let is_space_at i = is_space (String.unsafe_get s i) in
  let rec stop i = if i < n && not (is_space_at i) then stop (i + 1) else i in
  let rec go acc i hi =
    if i > hi then acc
    else if is_space_at i then go acc (i + 1) hi
    else
      let stop = stop (i + 1) in
      go (step acc (String.sub s i (stop - i))) (stop + 1) hi
  in
  Fold.over n ~init ~merge (fun acc lo hi ->
      go acc (if lo = 0 then 0 else skip s is_space (lo - 1) hi) hi)

let fold_lines_of_file = File_lines.fold
