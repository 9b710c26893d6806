open Drover_harness
module Task = Domainslib.Task

(* Intervals are [lo, hi). Annotations keep the comparisons and the accesses specialised to
   floats. *)

let insertion (a : float array) lo hi =
  for i = lo + 1 to hi - 1 do
    let x = a.(i) in
    let j = ref (i - 1) in
    while !j >= lo && a.(!j) > x do
      a.(!j + 1) <- a.(!j);
      decr j
    done;
    a.(!j + 1) <- x
  done

let merge_serially (src : float array) lo1 hi1 lo2 hi2 (dst : float array) at =
  let i = ref lo1 and j = ref lo2 in
  for k = at to at + (hi1 - lo1) + (hi2 - lo2) - 1 do
    if !j >= hi2 || (!i < hi1 && src.(!i) <= src.(!j)) then begin
      dst.(k) <- src.(!i);
      incr i
    end
    else begin
      dst.(k) <- src.(!j);
      incr j
    end
  done

(* The first index of [lo, hi) whose element is at least [x]. *)
let rec lower_bound (a : float array) (x : float) lo hi =
  if lo >= hi then lo
  else
    let mid = (lo + hi) / 2 in
    if a.(mid) < x then lower_bound a x (mid + 1) hi else lower_bound a x lo mid

let merge_grain = 4096
let leaf = 24

(* Splits the longer run in its middle, and the other one where that element belongs. *)
let rec merge ~fork (src : float array) lo1 hi1 lo2 hi2 dst at =
  if hi1 - lo1 < hi2 - lo2 then merge ~fork src lo2 hi2 lo1 hi1 dst at
  else if hi1 - lo1 + hi2 - lo2 <= merge_grain then merge_serially src lo1 hi1 lo2 hi2 dst at
  else
    let mid1 = (lo1 + hi1) / 2 in
    let mid2 = lower_bound src src.(mid1) lo2 hi2 in
    fork
      (hi1 - lo1 + hi2 - lo2)
      (fun () -> merge ~fork src lo1 mid1 lo2 mid2 dst at)
      (fun () -> merge ~fork src mid1 hi1 mid2 hi2 dst (at + (mid1 - lo1) + (mid2 - lo2)))

(* Sorts [lo, hi) of [a], and leaves the result in [b] if [into_b]; both hold the same elements at
   first. *)
let rec sort_run ~fork a b ~into_b lo hi =
  if hi - lo <= leaf then insertion (if into_b then b else a) lo hi
  else begin
    let mid = (lo + hi) / 2 in
    fork (hi - lo)
      (fun () -> sort_run ~fork a b ~into_b:(not into_b) lo mid)
      (fun () -> sort_run ~fork a b ~into_b:(not into_b) mid hi);
    let src, dst = if into_b then (a, b) else (b, a) in
    merge ~fork src lo mid mid hi dst lo
  end

let sort ~fork a = sort_run ~fork a (Array.copy a) ~into_b:false 0 (Array.length a)

let in_order _ f g =
  f ();
  g ()

let sorted fork a =
  sort ~fork a;
  a

(* A fork at every split, however small. *)
let drover a = sorted (fun _ f g -> ignore (Drover.both f g : unit * unit)) a

(* What one would write for Domainslib, whose forks are too dear for a few dozen elements. *)
let domainslib pool a =
  let fork n f g =
    if n < merge_grain then in_order n f g
    else begin
      let p = Task.async pool g in
      f ();
      Task.await pool p
    end
  in
  sorted fork a

let kernel : Kernel.t =
  let prepare (p : Kernel.params) =
    let n = Kernel.by_size p.size ~tiny:10_000 ~quick:600_000 ~full:4_000_000 in
    let rng = Random.State.make [| n |] in
    let floats = Array.init n (fun _ -> Random.State.float rng 1.) in
    let describe a = Printf.sprintf "an array with median %.9f" a.(n / 2) in
    Ok
      (Kernel.Problem
         {
           about = Printf.sprintf "%d random floats" n;
           input = (fun () -> Array.copy floats);
           serial = sorted in_order;
           versions = [ Kernel.drover drover; Kernel.domainslib domainslib ];
           check = Kernel.equal describe;
           note = (fun a -> Printf.sprintf "median %.9f" a.(n / 2));
           picture = None;
         })
  in
  { name = "mergesort"; doc = "merge sort of floats, without a cutoff"; prepare }
