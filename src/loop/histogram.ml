(* Histogram: each run of a loop counts by itself (see [Fold]). *)

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
  (* A run has as many elements as its table: together the tables are no longer than the array. *)
  Fold.over (Array.length a) ~grain:(Int.max 1 bins)
    ~make:(fun () -> Array.make bins 0)
    ~merge:add_to
    (fun counts lo hi ->
      count counts f a lo hi;
      counts)
