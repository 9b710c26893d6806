(* Shuffle: Sanders, "Random permutations on distributed, external and hierarchical memory"
   (1998): each element goes to a random part, and each part is shuffled by itself. *)

(* A part's elements fit a cache; so do those of a short array. *)
let part_size = 4096
let short = 1 lsl 16
let most_parts = 256

(* Fisher and Yates. *)
let within rng a lo hi =
  for i = hi downto lo + 1 do
    let j = lo + Random.State.full_int rng (i - lo + 1) in
    let x = a.(i) in
    a.(i) <- a.(j);
    a.(j) <- x
  done

let rng ~seed part = Random.State.make [| seed; part |]

let shuffle ~seed a =
  let n = Array.length a in
  let parts = Int.min most_parts (n / part_size) in
  let r = Array.copy a in
  if n <= short then within (rng ~seed 0) r 0 (n - 1)
  else begin
    let salt = Mix.word seed in
    let part = Array.make n 0 in
    Arrays_map.iteri (fun i _ -> part.(i) <- (Mix.word (salt + i) lsr 8) mod parts) part;
    let starts = Radix_sort.scatter n parts (Array.get part) (fun i place -> r.(place) <- a.(i)) in
    Loops.iter ~start:0 ~finish:(parts - 1) (fun p ->
        let next = if p + 1 < parts then starts.(p + 1) else n in
        within (rng ~seed p) r starts.(p) (next - 1))
  end;
  r
