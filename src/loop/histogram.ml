(* Histogram: each block counts by itself. *)

let[@inline never] refuse bin bins =
  invalid_arg (Printf.sprintf "Drover.Array.histogram: %d is not in 0..%d" bin (bins - 1))

let count (counts : int array) f a lo hi =
  let bins = Array.length counts in
  for i = lo to hi do
    let bin = f (Array.unsafe_get a i) in
    if bin < 0 || bin >= bins then refuse bin bins
    else Array.unsafe_set counts bin (Array.unsafe_get counts bin + 1)
  done

let add_to (counts : int array) (more : int array) =
  for bin = 0 to Array.length counts - 1 do
    Array.unsafe_set counts bin (Array.unsafe_get counts bin + Array.unsafe_get more bin)
  done;
  counts

let histogram ~bins f a =
  if bins < 0 then invalid_arg "Drover.Array.histogram: bins < 0";
  if bins > Sys.max_array_length then invalid_arg "Drover.Array.histogram: too many bins";
  let n = Array.length a in
  (* At most 64 tables, which are no longer together than the array. *)
  let blocks = Blocks.divide ~least:(Int.max (Int.max 1 bins) ((n + 63) / 64)) n in
  let add acc first last =
    count acc f a (Blocks.lo blocks first) (Blocks.hi blocks last);
    acc
  in
  Blocks.reduce_by blocks ~init:(Array.make bins 0) ~combine:add_to ~add (fun lo hi ->
      let counts = Array.make bins 0 in
      count counts f a lo hi;
      counts)
