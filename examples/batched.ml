(* Structures that many tasks change at a time: what comes together is processed together. *)

module Map = Drover_batched.Ordered_map
module Op = Drover_batched.Op

let text =
  "the caravan goes by night and the drover sings and the camels follow \
   the drover and the night goes by"

(* Single operations: each task counts a word. *)
let count_words words =
  let counts = Map.create String.compare in
  let one_more n = Some (1 + Option.value n ~default:0) in
  Drover.Array.iter (fun word -> Map.update counts word one_more) words;
  counts

let () =
  let counts =
    count_words (Array.of_list (String.split_on_char ' ' text))
  in
  let before = Map.snapshot counts in
  let ops = [| Op.delete "the"; Op.delete "and"; Op.delete "or" |] in
  Map.apply counts ops;
  Array.iter
    (fun op ->
      Printf.printf "%s: %d\n" (Op.key op)
        (Option.value (Op.result op) ~default:0))
    ops;
  Map.iter (Printf.printf "%s %d, ") counts;
  Printf.printf "and %d words before\n"
    (Drover_batched.Tree_map.length before)

(* The three least, at one time. *)
let () =
  let queue = Drover_batched.Priority_queue.create Int.compare in
  Drover_batched.Priority_queue.push_all queue [| 31; 4; 15; 92; 6; 53 |];
  let least = Drover_batched.Priority_queue.pop_many queue 3 in
  print_endline
    (String.concat " " (Array.to_list (Array.map string_of_int least)))
