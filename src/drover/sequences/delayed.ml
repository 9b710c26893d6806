(* Delayed: sequences that are computed when they are consumed, so that a pipeline makes no array
   between its steps.

   Westrick, Rainey, Anderson, Blelloch, "Parallel block-delayed sequences" (PPoPP 2022): Indexed
   gives any element by its index; Blocks gives the elements of a block one after the other,
   which is what remains possible after a filter, a flatten or a scan. *)

type 'a t =
  | Indexed of { length : int; get : int -> 'a }
  | Blocks of { count : int; iter : int -> ('a -> unit) -> unit }

let tabulate length get =
  if length < 0 then invalid_arg "Drover.Delayed.tabulate: negative length";
  Indexed { length; get }

let of_array a = Indexed { length = Array.length a; get = Array.get a }

let pieces of_text s =
  let b = Blocks.divide ~least:Blocks.light (String.length s) in
  let iter block push =
    of_text s (fun () piece -> push piece) () (Blocks.lo b block) (Blocks.hi b block)
  in
  Blocks { count = b.count; iter }

let lines s = pieces Text_pieces.lines s
let words s = pieces Text_pieces.words s

(* A block at a time, with the blocks that depend on the length only. *)
let blocks = function
  | Blocks { count; iter } -> (count, iter)
  | Indexed { length; get } ->
      let b = Blocks.divide length in
      let iter block push =
        for i = Blocks.lo b block to Blocks.hi b block do
          push (get i)
        done
      in
      (b.count, iter)

let single count = { Blocks.n = count; size = 1; count }

let iter f = function
  | Indexed { length; get } ->
      Spread.over length (fun lo hi ->
          for i = lo to hi do
            f (get i)
          done)
  | Blocks { count; iter } -> Blocks.iter (single count) (fun block _ _ -> iter block f)

let to_array = function
  | Indexed { length; get } -> Arrays_map.init length get
  | Blocks { count; iter } ->
      Collect.over count (fun b lo hi ->
          for block = lo to hi do
            Scope.check ();
            iter block (Collect.pusher b)
          done)

let with_index t =
  match t with
  | Indexed { length; get } -> (length, get)
  | Blocks _ ->
      let a = to_array t in
      (Array.length a, Array.get a)

let map f = function
  | Indexed { length; get } -> Indexed { length; get = (fun i -> f (get i)) }
  | Blocks { count; iter } ->
      Blocks { count; iter = (fun block push -> iter block (fun x -> push (f x))) }

let mapi f t =
  let length, get = with_index t in
  Indexed { length; get = (fun i -> f i (get i)) }

let zip t u =
  let length, get = with_index t and length_u, get_u = with_index u in
  if length <> length_u then invalid_arg "Drover.Delayed.zip: sequences of different lengths";
  Indexed { length; get = (fun i -> (get i, get_u i)) }

let filter_map f t =
  let count, iter = blocks t in
  let iter block push = iter block (fun x -> match f x with Some y -> push y | None -> ()) in
  Blocks { count; iter }

let filter f t =
  let count, iter = blocks t in
  Blocks { count; iter = (fun block push -> iter block (fun x -> if f x then push x)) }

(* What a block amounts to, if it has elements. *)
let total combine iter block =
  let acc = ref None in
  iter block (fun x ->
      acc := match !acc with None -> Some x | Some before -> Some (combine before x));
  !acc

let combine_total combine acc = function None -> acc | Some x -> combine acc x

let reduce ~init ~combine = function
  | Indexed { length; get } ->
      let b = Blocks.divide length in
      let from acc lo hi =
        let acc = ref acc in
        for i = lo to hi do
          acc := combine !acc (get i)
        done;
        !acc
      in
      let piece lo hi = from (get lo) (lo + 1) hi in
      let add acc first last =
        if b.size = 1 then from acc first last
        else begin
          let acc = ref acc in
          for block = first to last do
            acc := combine !acc (piece (Blocks.lo b block) (Blocks.hi b block))
          done;
          !acc
        end
      in
      Blocks.reduce_by b ~init ~combine ~add piece
  | Blocks { count; iter } ->
      Blocks.reduce (single count) ~init ~combine:(combine_total combine) (fun block _ ->
          total combine iter block)

let scan ~init ~combine t =
  let count, iter = blocks t in
  let totals = Array.make count None in
  Blocks.iter (single count) (fun block _ _ -> totals.(block) <- total combine iter block);
  let acc = ref init in
  let starts =
    Array.map
      (fun total ->
        let start = !acc in
        acc := combine_total combine start total;
        start)
      totals
  in
  let iter block push =
    let acc = ref starts.(block) in
    iter block (fun x ->
        acc := combine !acc x;
        push !acc)
  in
  Blocks { count; iter }

(* The last place of [starts] whose value is at most [i], at or behind [lo]. *)
let rec find_part starts i lo hi =
  if lo = hi then lo
  else
    let mid = (lo + hi + 1) / 2 in
    if starts.(mid) <= i then find_part starts i mid hi else find_part starts i lo (mid - 1)

let flatten t =
  let parts = Arrays_map.map with_index (to_array t) in
  let starts = Array.map fst parts in
  let length = Pack.offsets starts in
  let b = Blocks.divide length in
  let rec push_from part i hi push =
    if i <= hi then begin
      let length, get = parts.(part) and start = starts.(part) in
      let last = Int.min hi (start + length - 1) in
      for k = i - start to last - start do
        push (get k)
      done;
      push_from (part + 1) (last + 1) hi push
    end
  in
  let iter block push =
    let lo = Blocks.lo b block in
    push_from (find_part starts lo 0 (Array.length parts - 1)) lo (Blocks.hi b block) push
  in
  Blocks { count = b.count; iter }

let length = function
  | Indexed { length; _ } -> length
  | Blocks { count; iter } ->
      Blocks.reduce (single count) ~init:0 ~combine:( + ) (fun block _ ->
          let n = ref 0 in
          iter block (fun _ -> incr n);
          !n)

let reduce_by ?hash ?equal ~combine key value t =
  let count, iter = blocks t in
  By_key.reduce_pushed ?hash ?equal ~combine key value count iter

let count_by ?hash ?equal key t = reduce_by ?hash ?equal ~combine:( + ) key (fun _ -> 1) t
