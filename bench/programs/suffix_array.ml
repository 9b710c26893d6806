(* A suffix array: where the suffixes of a text start, in alphabetical order. By doubling (Manber and
   Myers): once the suffixes are ordered by their first k characters, two of these ranks order them by
   2k. *)

(* What a version does by itself: initialises and sorts arrays, and sums up. *)
type tools = {
  init : int -> (int -> int) -> int array;
  sort : (int -> int -> int) -> int array -> unit;
  scan : int array -> int array;
  iter : int -> (int -> unit) -> unit;
}

let suffixes t text =
  let n = String.length text in
  let order = t.init n Fun.id in
  let rank = ref (t.init n (fun i -> Char.code text.[i])) in
  let rec double k =
    let old = !rank in
    let key =
      t.init n (fun i ->
          (old.(i) * (n + 256)) + if i + k < n then old.(i + k) + 1 else 0)
    in
    t.sort (fun i j -> Int.compare key.(i) key.(j)) order;
    let is_new r =
      if r > 0 && key.(order.(r)) <> key.(order.(r - 1)) then 1 else 0
    in
    let ranks = t.scan (t.init n is_new) in
    t.iter n (fun r -> old.(order.(r)) <- ranks.(r));
    if ranks.(n - 1) < n - 1 && k < n then double (2 * k)
  in
  double 1;
  order

let sums a =
  let sum = ref 0 in
  Array.map
    (fun x ->
      sum := !sum + x;
      !sum)
    a

let for_all n f =
  for i = 0 to n - 1 do
    f i
  done

let serial =
  suffixes
    {
      init = Array.init;
      sort = Array.stable_sort;
      scan = sums;
      iter = for_all;
    }

let drover =
  let iter n f = Drover.parallel_for ~start:0 ~finish:(n - 1) f in
  suffixes
    {
      init = Drover.Array.init;
      sort = Drover.Array.sort;
      scan = Drover.Array.scan_ints;
      iter;
    }

let domainslib pool =
  let open Domainslib.Task in
  suffixes
    {
      init = By_hand.init pool;
      sort = By_hand.sort pool;
      scan = parallel_scan pool ( + );
      iter = (fun n f -> parallel_for pool ~start:0 ~finish:(n - 1) ~body:f);
    }

let kernel =
  Program.kernel ~name:"suffix-array"
    ~doc:"the suffixes of a text in alphabetical order"
    ~sizes:(2_000, 200_000, 1_000_000)
    ~about:(Printf.sprintf "%d characters")
    ~input:Words.input
    ~show:(fun order ->
      Printf.sprintf "the first suffix starts at %d" order.(0))
    ~serial ~drover ~domainslib ()
