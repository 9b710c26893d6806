(* Text: strings, searched and split by blocks. *)

let count f s =
  Fold.over (String.length s)
    ~make:(fun () -> 0)
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

let fold_lines ~make ~merge step s =
  Fold.over (String.length s) ~make ~merge (fun acc lo hi -> Text_pieces.lines s step acc lo hi)

let fold_words ~make ~merge step s =
  Fold.over (String.length s) ~make ~merge (fun acc lo hi -> Text_pieces.words s step acc lo hi)

(* First it is counted how many pieces each block has; then it is known where they go. *)
let pieces count steps s =
  let n = String.length s in
  let fill (r : string array) place lo hi =
    let store place piece =
      Array.unsafe_set r place piece;
      place + 1
    in
    ignore (steps s store place lo hi : int)
  in
  if Spread.is_light n then begin
    let r = Array.make (count s 0 (n - 1)) "" in
    fill r 0 0 (n - 1);
    r
  end
  else begin
    let b = Blocks.divide ~least:Blocks.light n in
    let places = Array.make b.count 0 in
    Blocks.iter b (fun block lo hi -> places.(block) <- count s lo hi);
    let r = Array.make (Pack.offsets places) "" in
    Blocks.iter b (fun block lo hi -> fill r places.(block) lo hi);
    r
  end

let lines s = pieces Text_pieces.count_lines Text_pieces.lines s
let words s = pieces Text_pieces.count_words Text_pieces.words s
let fold_lines_of_file = File_lines.fold
