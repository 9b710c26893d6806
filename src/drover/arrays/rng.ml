(* Rng: loops that draw random numbers, the same ones on any number of domains.

   The interval is divided into blocks that depend on its length only; each has a generator of
   its own, split off the given one before the loop begins, and its iterations draw in order. The
   generators are those of the standard library: LXM, Steele and Vigna, "LXM: better splittable
   pseudorandom number generators (and almost as fast)" (OOPSLA 2021). *)

(* An iteration may take long: so of a few each is a block, although a split costs more than a cheap one. *)
let in_blocks rng n =
  let b = Blocks.divide n in
  (b, Array.init b.count (fun _ -> Random.State.split rng))

let iter rng n f =
  let b, rngs = in_blocks rng n in
  Blocks.iter b (fun block lo hi ->
      for i = lo to hi do
        f rngs.(block) i
      done)

let init rng n f =
  if n < 0 then invalid_arg "Drover.Rng.init: negative length";
  if n > Sys.max_array_length then invalid_arg "Drover.Rng.init: the length is too large";
  let b, rngs = in_blocks rng n in
  let block k =
    let lo = Blocks.lo b k in
    Array.init (Blocks.hi b k - lo + 1) (fun i -> f rngs.(k) (lo + i))
  in
  Arrays_move.concat_all (Arrays_map.init b.count block)

let reduce rng n ~init ~combine f =
  let (b : Blocks.t), rngs = in_blocks rng n in
  Blocks.reduce b ~init ~combine (fun lo hi ->
      let rng = rngs.(lo / b.size) in
      let acc = ref (f rng lo) in
      for i = lo + 1 to hi do
        acc := combine !acc (f rng i)
      done;
      !acc)
