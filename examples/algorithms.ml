(* Algorithms on arrays, text, lists, lazy sequences, and pipelines without arrays in between. *)

let text = "a drover drives\ncattle or sheep\nover long roads\n"

(* The words of each length. *)
let by_length text =
  let words = Drover.Text.words text in
  Drover.Array.group_by String.length words

(* The largest sum of neighbours: sums up to each place, less the least sum before it. *)
let best_stretch numbers =
  let sums = Drover.Array.scan ~init:0 ~combine:( + ) numbers in
  let least = Drover.Array.scan ~init:0 ~combine:Int.min sums in
  Drover.Array.reduce ~init:0 ~combine:Int.max Fun.id
    (Drover.Array.map2 ( - ) sums least)

(* Nothing is stored between the steps. *)
let odd_squares n =
  Drover.Delayed.(
    tabulate n succ
    |> filter (fun x -> x land 1 = 1)
    |> map (fun x -> x * x))

let collatz n =
  let rec steps n i =
    if n = 1 then i
    else steps (if n land 1 = 0 then n / 2 else (3 * n) + 1) (i + 1)
  in
  steps n 0

let () =
  let show (length, words) =
    Printf.printf "%d: %s\n" length
      (String.concat " " (Array.to_list words))
  in
  Array.iter show (by_length text);
  Printf.printf "best stretch: %d\n"
    (best_stretch [| 3; -4; 5; -1; 2; -6; 4 |]);
  Printf.printf "squares: %d\n"
    (Drover.Delayed.reduce ~init:0 ~combine:( + ) (odd_squares 1_000));
  let numbers = Array.init 1_000 (fun i -> i * 7919 mod 1_000) in
  Drover.Array.sort_ints numbers;
  Printf.printf "sorted: %b\n" (Drover.Array.is_sorted Int.compare numbers);
  let lengths = Drover.Seq.map collatz (Seq.ints 1) in
  let first = Seq.find (fun steps -> steps > 100) lengths in
  Printf.printf "steps: %d\n" (Option.get first)
