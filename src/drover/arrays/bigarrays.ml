(* Bigarrays: one-dimensional ones of any kind, slice by slice. A loop over a slice, in a
   function that knows the kind, compiles to plain loads and stores. *)

open Bigarray

type ('a, 'b) t = ('a, 'b, c_layout) Array1.t
type float64 = (float, float64_elt) t

(* The memory of a bigarray is freed after its last slice. OCaml begins to count them at the first
   one, and two first ones at a time are not counted both: the memory may be freed while it is in
   use (see caml_ba_update_proxy in OCaml's runtime). So the first one is taken by one caller at a
   time, before a loop takes others. *)
let first = Stdlib.Mutex.create ()
let prepare a = Stdlib.Mutex.protect first (fun () -> ignore (Array1.sub a 0 0 : _ t))
let slice a lo hi = Array1.sub a lo (hi - lo + 1)

(* A slice costs as much as a few hundred additions. *)
let shortest = 2048

let divided a =
  let n = Array1.dim a in
  if n > 0 then prepare a;
  Blocks.divide ~least:shortest n

let slice_of a (b : Blocks.t) lo hi = if b.count = 1 then a else slice a lo hi

let iter_slices f a =
  let b = divided a in
  Blocks.iter b (fun _ lo hi -> f lo (slice_of a b lo hi))

let reduce_slices ~init ~combine f a =
  let b = divided a in
  Blocks.reduce b ~init ~combine (fun lo hi -> f lo (slice_of a b lo hi))

let fill a x =
  if Array1.dim a <= Blocks.light then Array1.fill a x
  else begin
    prepare a;
    Spread.light (Array1.dim a) (fun lo hi -> Array1.fill (slice a lo hi) x)
  end

let blit src dst =
  if Array1.dim src <> Array1.dim dst then
    invalid_arg "Drover.Bigarray1.blit: bigarrays of different lengths";
  Array1.blit src dst

let init_float64 n f : float64 =
  if n < 0 then invalid_arg "Drover.Bigarray1.init_float64: negative length";
  let r = Array1.create Float64 C_layout n in
  Spread.over n (fun lo hi ->
      for i = lo to hi do
        Array1.unsafe_set r i (f i)
      done);
  r

let map_float64 f (a : float64) : float64 =
  let n = Array1.dim a in
  let r = Array1.create Float64 C_layout n in
  Spread.over n (fun lo hi ->
      for i = lo to hi do
        Array1.unsafe_set r i (f (Array1.unsafe_get a i))
      done);
  r

let sum_float64 (a : float64) =
  Arrays_fold.sum_ranges (Array1.dim a) ~zero:0. ~add:( +. ) (fun lo hi ->
      let s = ref 0. in
      for i = lo to hi do
        s := !s +. Array1.unsafe_get a i
      done;
      !s)
