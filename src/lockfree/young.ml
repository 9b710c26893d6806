(* Young: longer arrays are put together from pieces by [Array.concat], which makes no collection
   first. *)

let of_pieces n piece =
  let longest = 256 in
  let rec from first =
    if first = n then []
    else
      let length = Int.min longest (n - first) in
      let items = piece first length in
      items :: from (first + length)
  in
  if n <= longest then piece 0 n else Array.concat (from 0)

let map f a = of_pieces (Array.length a) (fun first n -> Array.init n (fun i -> f a.(first + i)))

(* The first [n] of [items]. *)
let of_list n items =
  let rest = ref items in
  let next _ =
    match !rest with
    | [] -> assert false (* there are [n] *)
    | x :: later ->
        rest := later;
        x
  in
  of_pieces n (fun _ length -> Array.init length next)
