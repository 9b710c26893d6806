(* Divide and conquer: the halves are sorted in parallel, and short lists as they are. *)

let rec split = function
  | x :: y :: rest ->
      let xs, ys = split rest in
      (x :: xs, y :: ys)
  | short -> (short, [])

let rec sort cmp list =
  if List.compare_length_with list 50 < 0 then List.sort cmp list
  else
    let left, right = split list in
    let left, right =
      Drover.both (fun () -> sort cmp left) (fun () -> sort cmp right)
    in
    List.merge cmp left right

let () =
  let numbers = List.init 10_000 (fun i -> i * 7919 mod 10_007) in
  let sorted = sort compare numbers in
  Printf.printf "the last is %d\n" (List.nth sorted 9_999);
  assert (sorted = List.sort compare numbers)
