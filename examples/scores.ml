(* A batched object of one's own: scores in a sorted array. To insert one moves all that are above
   it; a batch moves them once. *)

type op = { score : int; mutable rank : (int, exn) result option }

let scores = ref [||]

(* How many are below [score]. *)
let rank_of score =
  let rec search lo hi =
    if lo = hi then lo
    else
      let mid = (lo + hi) / 2 in
      if !scores.(mid) < score then search (mid + 1) hi else search lo mid
  in
  search 0 (Array.length !scores)

(* A batch. Who may not come in fails alone. *)
let insert ops =
  let is_good op = op.score >= 0 in
  let good = Drover.Array.filter is_good ops in
  let fresh = Drover.Array.map (fun op -> op.score) good in
  Drover.Array.sort_ints fresh;
  scores := Drover.Array.merge Int.compare !scores fresh;
  let settle op =
    op.rank <-
      Some
        (if is_good op then Ok (rank_of op.score)
         else Error (Invalid_argument "negative score"))
  in
  Drover.Array.iter settle ops

let board =
  Drover.Batch.create ~applied:(fun op -> Option.is_some op.rank) insert

(* What the others call, from wherever they are. *)
let add score =
  let op = { score; rank = None } in
  Drover.Batch.submit board op;
  match op.rank with
  | Some (Ok rank) -> rank
  | Some (Error exn) -> raise exn
  | None -> assert false (* it has been applied *)

let () =
  Drover.parallel_for ~start:0 ~finish:999 (fun i ->
      ignore (add (i * 7 mod 1000) : int));
  Printf.printf "%d scores are below 250\n" (add 250);
  (match add (-1) with
  | rank -> Printf.printf "rank %d\n" rank
  | exception Invalid_argument why -> print_endline why);
  Printf.printf "%d operations\n" (Drover.Batch.metrics board).operations
