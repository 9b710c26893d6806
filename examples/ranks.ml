(* Parmap's and Parany's interfaces on domains, and Drover's own functions for the same. *)

let rec steps n =
  if n = 1 then 0
  else 1 + steps (if n mod 2 = 0 then n / 2 else (3 * n) + 1)

(* As a program for Parmap has it. *)
let most_steps n =
  let numbers = Parmap.A (Array.init n succ) in
  Parmap.parmapfold ~ncores:4 ~chunksize:1000 steps numbers Int.max 0
    Int.max

(* And directly. *)
let most_steps_directly n =
  Drover.parallel_reduce ~start:1 ~finish:n ~init:0 ~combine:Int.max steps

(* As a program for Parany has it. *)
let lengths words =
  let rest = ref words and found = ref [] in
  let demux () =
    match !rest with
    | [] -> raise Parany.End_of_input
    | word :: words ->
        rest := words;
        word
  and mux length = found := length :: !found in
  Parany.run ~preserve:true 4 ~demux ~work:String.length ~mux;
  List.rev !found

let lengths_directly words =
  List.of_seq (Drover.Seq.map String.length (List.to_seq words))

let () =
  let words = [ "one"; "three"; "seven"; "eleven" ] in
  Printf.printf "%d steps, %d steps\n" (most_steps 10_000)
    (most_steps_directly 10_000);
  assert (lengths words = lengths_directly words);
  List.iter (Printf.printf "%d letters\n") (lengths words)
