(* Radix sort: by the lowest byte first, each pass stable.

   A pass counts, for each block and each value of the byte, how many elements have it; that
   tells where the block's elements with that value go. Blelloch et al., "A comparison of sorting
   algorithms for the Connection Machine CM-2" (1991), section 4. *)

let radix = 256

(* Each has a table of its own. *)
let divide n = Blocks.divide ~least:4096 n

(* Turns the counts of blocks and values into the first place of each, value by value. The counts of a few
   values lie next to each other in each block. *)
let places counts values =
  let totals = Array.make values 0 in
  let of_all lo hi =
    Array.iter
      (fun (of_block : int array) ->
        for v = lo to hi do
          totals.(v) <- totals.(v) + of_block.(v)
        done)
      counts
  and of_each lo hi =
    Array.iter
      (fun (of_block : int array) ->
        for v = lo to hi do
          let n = of_block.(v) in
          of_block.(v) <- totals.(v);
          totals.(v) <- totals.(v) + n
        done)
      counts
  in
  let for_all_values body =
    if Array.length counts < 16 then body 0 (values - 1)
    else Loops.range ~grain:32 ~start:0 ~finish:(values - 1) body
  in
  for_all_values of_all;
  ignore (Pack.offsets totals : int);
  for_all_values of_each

let count values value (_ : int) lo hi =
  let counts = Array.make values 0 in
  for i = lo to hi do
    let v = value i in
    counts.(v) <- counts.(v) + 1
  done;
  counts

let scatter n values value move =
  let blocks = divide n in
  let counts = Array.make blocks.count [||] in
  Blocks.iter blocks (fun b lo hi -> counts.(b) <- count values value b lo hi);
  places counts values;
  let first = if blocks.count = 0 then Array.make values 0 else Array.copy counts.(0) in
  Blocks.iter blocks (fun b lo hi ->
      let next = counts.(b) in
      for i = lo to hi do
        let v = value i in
        let place = next.(v) in
        next.(v) <- place + 1;
        move i place
      done);
  first

(* Keys with their elements. *)
type 'a side = { keys : int array; elements : 'a array }

let pass n ~base ~shift src dst =
  let digit i = ((Array.unsafe_get src.keys i - base) lsr shift) land (radix - 1) in
  let move i place =
    Array.unsafe_set dst.keys place (Array.unsafe_get src.keys i);
    Array.unsafe_set dst.elements place (Array.unsafe_get src.elements i)
  in
  ignore (scatter n radix digit move : int array)

(* The differences from the least key fill a word if they are taken without a sign. *)
let rec passes n ~base ~spread ~shift src dst =
  if shift >= Sys.int_size || spread lsr shift = 0 then src.elements
  else begin
    pass n ~base ~shift src dst;
    passes n ~base ~spread ~shift:(shift + 8) dst src
  end

(* Of a few: their differences from the least key and their places, sorted as numbers. *)

let few = 256

let few_by_key keys ~base a =
  let packed = Array.mapi (fun i key -> (key - base) * few lor i) keys in
  Numbers.sort_ints packed;
  Array.map (fun at -> Array.unsafe_get a (at land (few - 1))) packed

(* The least and the greatest. *)
let bounds (keys : int array) =
  let b = Blocks.divide ~least:Blocks.light (Array.length keys) in
  let among (least, most) lo hi =
    let least = ref least and most = ref most in
    for i = lo to hi do
      let key = Array.unsafe_get keys i in
      if key < !least then least := key;
      if key > !most then most := key
    done;
    (!least, !most)
  in
  let combine (l, m) (l', m') = (Int.min l l', Int.max m m') and none = (max_int, min_int) in
  if b.count = 1 then among none 0 (b.n - 1) else Blocks.reduce b ~init:none ~combine (among none)

let by_key key a =
  let n = Array.length a in
  if n > 1 then begin
    let keys = Arrays_map.map key a in
    let base, most = bounds keys in
    let spread = most - base in
    let sorted =
      if n <= few && spread >= 0 && spread <= max_int / few then few_by_key keys ~base a
      else
        let src = { keys; elements = Array.copy a } in
        let dst = { keys = Array.make n 0; elements = Array.copy a } in
        passes n ~base ~spread ~shift:0 src dst
    in
    (* What one call copies is not interrupted. *)
    if n <= few then Array.blit sorted 0 a 0 n
    else Extent.protect (fun () -> Sort.copy_back sorted a)
  end
