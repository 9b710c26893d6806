(* Shuffle: Sanders, "Random permutations on distributed, external and hierarchical memory"
   (1998): each element goes to a random part, and each part is shuffled by itself. A draw is of the seed and the
   place that it is for, so none waits for the one before. *)

(* A part's elements fit a cache; so do those of a short array. *)
let part_size = 4096
let short = 1 lsl 17
let most_parts = 256
let[@inline] draw salt i n = Mix.below n (Mix.word (salt + i))

(* Fisher and Yates. *)
let within salt a lo hi =
  for i = hi downto lo + 1 do
    let j = lo + draw salt i (i - lo + 1) in
    let x = Array.unsafe_get a i in
    Array.unsafe_set a i (Array.unsafe_get a j);
    Array.unsafe_set a j x
  done

let shuffle ~seed a =
  let n = Array.length a and salt = Mix.word seed in
  let salt_within = Mix.word salt in
  let r = Array.copy a in
  if n <= short then within salt_within r 0 (n - 1)
  else begin
    let parts = Int.min most_parts (n / part_size) in
    let starts =
      Radix_sort.scatter n parts
        (fun i -> draw salt i parts)
        (fun i place -> Array.unsafe_set r place (Array.unsafe_get a i))
    in
    Loops.iter ~start:0 ~finish:(parts - 1) (fun p ->
        let next = if p + 1 < parts then starts.(p + 1) else n in
        within salt_within r starts.(p) (next - 1))
  end;
  r
