(* Lists: by way of arrays, but for short ones whose elements are cheap. *)

let short = 64

(* The other elements of a short list are as cheap as the first one: then a list will do. *)
let is_cheap taken rest = taken < Spread.patience /. 16. && List.compare_length_with rest short <= 0

let by_array f x rest =
  let rest = Array.of_list rest in
  Array.to_list
    (Arrays_map.init (Array.length rest + 1) (fun i -> if i = 0 then x () else f i rest.(i - 1)))

let mapi f = function
  | [] -> []
  | x :: rest when Spread.in_task () -> by_array f (fun () -> f 0 x) rest
  | x :: rest ->
      let since = Unix.gettimeofday () in
      if (not (List.is_empty rest)) && Spread.is_due since then
        Pool.inside (fun () -> by_array f (fun () -> f 0 x) rest)
      else
        let y = f 0 x in
        let taken = Unix.gettimeofday () -. since in
        if is_cheap taken rest then y :: List.mapi (fun i x -> f (i + 1) x) rest
        else if taken < Spread.patience then by_array f (fun () -> y) rest
        else Pool.inside (fun () -> by_array f (fun () -> y) rest)

let map f l = mapi (fun _ x -> f x) l
let iter f l = Arrays_map.iter f (Array.of_list l)
let filter_map f l = Array.to_list (Arrays_filter.filter_map f (Array.of_list l))
let filter f l = Array.to_list (Arrays_filter.filter f (Array.of_list l))
let fold f combine init l = Arrays_fold.fold f combine init (Array.of_list l)
let fold_with ~init ~merge step l = Arrays_fold.fold_with ~init ~merge step (Array.of_list l)

let stable_sort cmp l =
  if List.compare_length_with l Sort.grain <= 0 then List.stable_sort cmp l
  else begin
    let a = Array.of_list l in
    Sort.stable cmp a;
    Array.to_list a
  end

let sort = stable_sort
