(* Text: strings, searched and split by blocks. What belongs to a place can be told from the place
   and the one before it, so blocks need nothing from each other. *)

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
    Pack.collect (divide s) (fun lo hi push ->
        for i = lo to hi do
          if starts i then push i
        done)
  in
  Arrays_map.map (fun start -> String.sub s start (stop start - start)) places

let lines s =
  let starts i = i = 0 || String.unsafe_get s (i - 1) = '\n' in
  let stop start = Option.value (String.index_from_opt s start '\n') ~default:(String.length s) in
  split s starts stop

let is_space = function ' ' | '\t' | '\n' | '\011' | '\012' | '\r' -> true | _ -> false

let words s =
  let is_word i = not (is_space (String.unsafe_get s i)) in
  let starts i = is_word i && (i = 0 || not (is_word (i - 1))) in
  let rec stop i = if i < String.length s && is_word i then stop (i + 1) else i in
  split s starts stop
