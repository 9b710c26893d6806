open Drover_harness
module Task = Domainslib.Task

(* What one would write for Domainslib: halves in tasks, sorted by [Stdlib], and a serial merge. *)

let merge cmp a b =
  let n = Array.length a and m = Array.length b in
  let i = ref 0 and j = ref 0 in
  Array.init (n + m) (fun _ ->
      if !j >= m || (!i < n && cmp a.(!i) b.(!j) <= 0) then begin
        incr i;
        a.(!i - 1)
      end
      else begin
        incr j;
        b.(!j - 1)
      end)

let serial cmp a =
  Array.stable_sort cmp a;
  a

let domainslib cmp pool a =
  let grain = max 1 (Array.length a / (4 * Task.get_num_domains pool)) in
  let rec sort lo hi =
    if hi - lo < grain then serial cmp (Array.sub a lo (hi - lo + 1))
    else
      let mid = (lo + hi) / 2 in
      let right = Task.async pool (fun () -> sort (mid + 1) hi) in
      let left = sort lo mid in
      merge cmp left (Task.await pool right)
  in
  sort 0 (Array.length a - 1)

let sorted sort a =
  sort a;
  a

let versions cmp special =
  Option.fold special ~none:[] ~some:(fun sort ->
      [ Kernel.drover ~name:"drover, specialised" (sorted sort) ])
  @ [ Kernel.drover (sorted (Drover.Array.sort cmp)); Kernel.domainslib (domainslib cmp) ]

let kernel ?(quick = 1_000_000) ?(full = 10_000_000) name doc input cmp special show : Kernel.t =
  let prepare (p : Kernel.params) =
    let n = Kernel.by_size p.size ~tiny:10_000 ~quick ~full in
    let data = input (Random.State.make [| n |]) n in
    let describe a = "median " ^ show a.(n / 2) in
    Ok
      (Kernel.Problem
         {
           about = Printf.sprintf "%d elements" n;
           input = (fun () -> Array.copy data);
           serial = serial cmp;
           versions = versions cmp special;
           check = Kernel.equal describe;
           note = describe;
           picture = None;
         })
  in
  { name; doc; prepare }

let of_ints name doc input =
  kernel name doc input Int.compare (Some Drover.Array.sort_ints) string_of_int

let random rng n = Array.init n (fun _ -> Random.State.bits rng)

let kernels =
  [
    of_ints "sort-ints" "sorting random ints" random;
    of_ints "sort-sorted" "sorting sorted ints" (fun rng n -> serial Int.compare (random rng n));
    of_ints "sort-reversed" "sorting ints from high to low" (fun rng n ->
        serial (fun x y -> Int.compare y x) (random rng n));
    of_ints "sort-few" "sorting ints of ten values" (fun rng n ->
        Array.init n (fun _ -> Random.State.int rng 10));
    kernel "sort-floats" "sorting random floats"
      (fun rng n -> Array.init n (fun _ -> Random.State.float rng 1.))
      Float.compare (Some Drover.Array.sort_floats) string_of_float;
    kernel ~quick:300_000 ~full:1_000_000 "sort-strings" "sorting random strings"
      (fun rng n -> Array.init n (fun _ -> string_of_int (Random.State.bits rng)))
      String.compare None Fun.id;
  ]
