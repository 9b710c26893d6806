(* Quickselect: Hoare, "Algorithm 65: Find" (1961). The pivot is the median of a sample. It is left
   out of what remains, so every round makes progress, whatever the comparison answers. *)

let few = 1024
let sample = 63

let sorted_kth cmp k a =
  let a = Array.copy a in
  Sort.stable cmp a;
  a.(k)

(* The index of the median of elements at equal distances. *)
let pivot_index cmp a =
  let distance = Array.length a / sample in
  let indices = Array.init sample (fun i -> i * distance) in
  Array.stable_sort (fun i j -> cmp a.(i) a.(j)) indices;
  indices.(sample / 2)

let rec find cmp k a =
  let n = Array.length a in
  if n <= few then sorted_kth cmp k a
  else
    let p = pivot_index cmp a in
    let pivot = a.(p) in
    let is_less i = i <> p && cmp a.(i) pivot < 0 and is_more i = i <> p && cmp a.(i) pivot > 0 in
    let less = Pack.select (Pack.mark_places n is_less) true a in
    if k < Array.length less then find cmp k less
    else
      let more = Pack.select (Pack.mark_places n is_more) true a in
      let not_more = n - Array.length more in
      if k < not_more then pivot else find cmp (k - not_more) more

let kth_smallest cmp k a =
  if k < 0 || k >= Array.length a then invalid_arg "Drover.Array.kth_smallest: no such index";
  find cmp k a
