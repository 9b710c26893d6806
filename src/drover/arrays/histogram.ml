(* Histogram: each run of a loop counts by itself (see [Fold]). *)

let[@inline never] refuse bin bins =
  invalid_arg (Printf.sprintf "Drover.Array.histogram: %d is not in 0..%d" bin (bins - 1))

let[@inline] note (counts : int array) bin =
  let bins = Array.length counts in
  if bin < 0 || bin >= bins then refuse bin bins
  else Array.unsafe_set counts bin (Array.unsafe_get counts bin + 1)

(* Two elements at a time, as a loop is a good part of a cheap [f]. *)
let count counts f a lo hi =
  let pairs = (hi - lo + 1) / 2 in
  for p = 0 to pairs - 1 do
    let i = lo + (2 * p) in
    note counts (f (Array.unsafe_get a i));
    note counts (f (Array.unsafe_get a (i + 1)))
  done;
  if lo + (2 * pairs) = hi then note counts (f (Array.unsafe_get a hi))

let add_to (counts : int array) (more : int array) =
  for bin = 0 to Array.length counts - 1 do
    Array.unsafe_set counts bin (Array.unsafe_get counts bin + Array.unsafe_get more bin)
  done;
  counts

let histogram ~bins f a =
  if bins < 0 then invalid_arg "Drover.Array.histogram: bins < 0";
  if bins > Sys.max_array_length then invalid_arg "Drover.Array.histogram: too many bins";
  (* A run has as many elements as its table: together the tables are no longer than the array. *)
  Fold.over (Array.length a) ~grain:(Int.max 1 bins)
    ~make:(fun () -> Array.make bins 0)
    ~merge:add_to
    (fun counts lo hi ->
      count counts f a lo hi;
      counts)
