(* Text pieces: what belongs to a place can be told from the place and the one before it, so blocks need
   nothing from each other. *)

(* The run that has the start of a line or a word has all of it. [skip is_end i hi] is behind the rest of
   one that begins before [i], or behind [hi]. *)
let rec skip s is_end i hi =
  if i <= hi && not (is_end (String.unsafe_get s i)) then skip s is_end (i + 1) hi else i

let rec next_of_few c s i n =
  if i < n && String.unsafe_get s i <> c then next_of_few c s (i + 1) n else i

(* Whether a byte of [w] is zero. Warren, "Hacker's Delight", section 6-1. *)
let[@inline] has_zero w =
  Int64.(logand (logand (sub w 0x0101010101010101L) (lognot w)) 0x8080808080808080L) <> 0L

(* Eight at a time, as most of a line is not its end: half of what it costs to find the lines of a log. *)
let next c s i n =
  let same = Int64.mul 0x0101010101010101L (Int64.of_int (Char.code c)) in
  let i = ref i in
  while !i + 8 <= n && not (has_zero (Int64.logxor (String.get_int64_ne s !i) same)) do
    i := !i + 8
  done;
  next_of_few c s !i n

(* [step acc] of the lines that start in [lo, hi], and so below. *)
let lines s step acc lo hi =
  let n = String.length s in
  let rec go acc start =
    if start > hi then acc
    else
      let stop = next '\n' s start n in
      go (step acc (String.sub s start (stop - start))) (stop + 1)
  in
  go acc (if lo = 0 then 0 else 1 + skip s (Char.equal '\n') (lo - 1) hi)

(* How many start in [lo, hi]: one at 0, and one behind each end. *)
let count_lines s lo hi =
  let rec behind n i =
    let stop = next '\n' s i hi in
    if stop < hi then behind (n + 1) (stop + 1) else n
  in
  if hi < lo then 0 else if lo = 0 then behind 1 0 else behind 0 (lo - 1)

(* Tab, newline, vertical tab, form feed and return are next to each other; most characters are above the space. *)
let[@inline] is_space c = c <= ' ' && (c = ' ' || (c >= '\t' && c <= '\r'))

let rec word_end s i n =
  if i < n && not (is_space (String.unsafe_get s i)) then word_end s (i + 1) n else i

let count_words s lo hi =
  let n = String.length s in
  let rec from words i =
    if i > hi then words
    else if is_space (String.unsafe_get s i) then from words (i + 1)
    else from (words + 1) (word_end s (i + 1) n + 1)
  in
  from 0 (if lo = 0 then 0 else skip s is_space (lo - 1) hi)

let words s step acc lo hi =
  let n = String.length s in
  let rec go acc i =
    if i > hi then acc
    else if is_space (String.unsafe_get s i) then go acc (i + 1)
    else
      let stop = word_end s (i + 1) n in
      go (step acc (String.sub s i (stop - i))) (stop + 1)
  in
  go acc (if lo = 0 then 0 else skip s is_space (lo - 1) hi)
