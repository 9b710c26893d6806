(* Delayed: sequences that are computed when they are consumed, so that a pipeline makes no array
   between its steps.

   Westrick, Rainey, Anderson, Blelloch, "Parallel block-delayed sequences" (PPoPP 2022): Indexed
   gives any element by its index; Pushed gives those that come of some blocks of the source, one
   after the other, which is what remains possible after a filter, a flatten or a scan.

   [iter lo hi] is for the places [lo .. hi] of the source, of whole blocks. Few elements have blocks of
   one each: so several blocks at a time, or a call would cost more than the element. *)

type 'a t =
  | Indexed of { length : int; get : int -> 'a }
  | Pushed of { blocks : Blocks.t; iter : int -> int -> ('a -> unit) -> unit }

let tabulate length get =
  if length < 0 then invalid_arg "Drover.Delayed.tabulate: negative length";
  Indexed { length; get }

let of_array a = Indexed { length = Array.length a; get = Array.get a }

let pieces of_text s =
  let iter lo hi push = of_text s (fun () piece -> push piece) () lo hi in
  Pushed { blocks = Blocks.divide ~least:Blocks.light (String.length s); iter }

let lines s = pieces Text_pieces.lines s
let words s = pieces Text_pieces.words s

(* With the blocks that depend on the length only. *)
let pushed = function
  | Pushed { blocks; iter } -> (blocks, iter)
  | Indexed { length; get } ->
      let iter lo hi push =
        for i = lo to hi do
          push (get i)
        done
      in
      (Blocks.divide length, iter)

(* [f lo hi] for some blocks: for all at once, if there are few elements. *)
let in_order (b : Blocks.t) f first last =
  if b.n <= Spread.block then f (Blocks.lo b first) (Blocks.hi b last)
  else
    for block = first to last do
      Scope.check ();
      f (Blocks.lo b block) (Blocks.hi b block)
    done

let iter f = function
  | Indexed { length; get } ->
      Spread.over length (fun lo hi ->
          for i = lo to hi do
            f (get i)
          done)
  | Pushed { blocks; iter } ->
      Spread.over blocks.count (in_order blocks (fun lo hi -> iter lo hi f))

let to_array = function
  | Indexed { length; get } -> Arrays_map.init length get
  | Pushed { blocks; iter } ->
      Collect.over blocks.count (fun b first last ->
          in_order blocks (fun lo hi -> iter lo hi (Collect.pusher b)) first last)

let with_index t =
  match t with
  | Indexed { length; get } -> (length, get)
  | Pushed _ ->
      let a = to_array t in
      (Array.length a, Array.get a)

let map f = function
  | Indexed { length; get } -> Indexed { length; get = (fun i -> f (get i)) }
  | Pushed { blocks; iter } ->
      Pushed { blocks; iter = (fun lo hi push -> iter lo hi (fun x -> push (f x))) }

let mapi f t =
  let length, get = with_index t in
  Indexed { length; get = (fun i -> f i (get i)) }

let zip t u =
  let length, get = with_index t and length_u, get_u = with_index u in
  if length <> length_u then invalid_arg "Drover.Delayed.zip: sequences of different lengths";
  Indexed { length; get = (fun i -> (get i, get_u i)) }

let filter_map f t =
  let blocks, iter = pushed t in
  let iter lo hi push = iter lo hi (fun x -> match f x with Some y -> push y | None -> ()) in
  Pushed { blocks; iter }

let filter f t =
  let blocks, iter = pushed t in
  Pushed { blocks; iter = (fun lo hi push -> iter lo hi (fun x -> if f x then push x)) }

(* What a block amounts to, if it has elements. *)
let total combine iter lo hi =
  let total = ref None in
  iter lo hi (fun x ->
      match !total with None -> total := Some (ref x) | Some acc -> acc := combine !acc x);
  Option.map ( ! ) !total

let combine_total combine acc = function None -> acc | Some x -> combine acc x

(* Blocks of one element each need no totals. *)
let add_blocks (b : Blocks.t) combine iter acc first last =
  let acc = ref acc in
  if b.size = 1 then iter first last (fun x -> acc := combine !acc x)
  else
    for block = first to last do
      let total = total combine iter (Blocks.lo b block) (Blocks.hi b block) in
      acc := combine_total combine !acc total
    done;
  !acc

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
  | Pushed { blocks; iter } ->
      Blocks.reduce_by blocks ~init ~combine:(combine_total combine)
        ~add:(add_blocks blocks combine iter) (total combine iter)

(* Few are scanned at once: one pass does with fewer steps than two. *)
let scan ~init ~combine t =
  let blocks, iter = pushed t in
  if blocks.size = 1 then of_array (Arrays_scan.scan ~init ~combine (to_array t))
  else begin
    let totals = Array.make blocks.count None in
    Blocks.iter blocks (fun block lo hi -> totals.(block) <- total combine iter lo hi);
    let acc = ref init in
    let starts =
      Array.map
        (fun total ->
          let start = !acc in
          acc := combine_total combine start total;
          start)
        totals
    in
    let iter lo hi push =
      for block = lo / blocks.size to hi / blocks.size do
        let acc = ref starts.(block) in
        iter (Blocks.lo blocks block) (Blocks.hi blocks block) (fun x ->
            acc := combine !acc x;
            push !acc)
      done
    in
    Pushed { blocks; iter }
  end

(* The last place of [starts] whose value is at most [i], at or behind [lo]. *)
let rec find_part (starts : int array) i lo hi =
  if lo = hi then lo
  else
    let mid = (lo + hi + 1) / 2 in
    if starts.(mid) <= i then find_part starts i mid hi else find_part starts i lo (mid - 1)

let flatten t =
  let parts = to_array (map with_index t) in
  let starts = Array.map fst parts in
  let length = Pack.offsets starts in
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
  let iter lo hi push = push_from (find_part starts lo 0 (Array.length parts - 1)) lo hi push in
  Pushed { blocks = Blocks.divide length; iter }

let length = function
  | Indexed { length; _ } -> length
  | Pushed { blocks; iter } ->
      let count lo hi =
        let n = ref 0 in
        iter lo hi (fun _ -> incr n);
        !n
      in
      let add acc first last = acc + count (Blocks.lo blocks first) (Blocks.hi blocks last) in
      Blocks.reduce_by blocks ~init:0 ~combine:( + ) ~add count

let reduce_by ?hash ?equal ~combine key value t =
  let blocks, iter = pushed t in
  let iter block = iter (Blocks.lo blocks block) (Blocks.hi blocks block) in
  Reduce_by.reduce_pushed ?hash ?equal ~combine key value blocks.count iter

let count_by ?hash ?equal key t = reduce_by ?hash ?equal ~combine:( + ) key (fun _ -> 1) t
