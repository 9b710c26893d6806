(* Mix: Steele, Lea, Flood, "Fast splittable pseudorandom number
   generators" (2014), figure 14 (the mixing function of SplitMix), on OCaml's ints. *)
let[@inline] word x =
  let x = x * 0x1e3779b97f4a7c15 in
  let x = x lxor (x lsr 30) * 0x3f58476d1ce4e5b9 in
  let x = x lxor (x lsr 27) * 0x14d049bb133111eb in
  x lxor (x lsr 31)

let longest = 1 lsl 23
let[@inline] below n word = if n <= longest then ((word lsr 23) * n) lsr 40 else (word lsr 1) mod n
