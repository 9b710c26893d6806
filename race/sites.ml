type t = int
type place = { file : string; line : int; column : int; what : string }

let bits = 20
let all = Dynarray.create ()
let here = ref 0

let add ~file l =
  let add (line, column, what) =
    Dynarray.add_last all { file; line; column; what };
    Dynarray.length all
  in
  if Dynarray.length all + Array.length l >= 1 lsl bits then
    failwith "Drover_race: the program has more than a million places where it may race";
  Array.map add l

let place site = if site = 0 then None else Some (Dynarray.get all (site - 1))
