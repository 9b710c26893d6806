let sorted name a =
  if Array.length a = 0 then invalid_arg ("Stats." ^ name ^ ": no samples");
  let a = Array.copy a in
  Array.sort Float.compare a;
  a

let quantile q a =
  let a = sorted "quantile" a in
  let n = Array.length a in
  let rank = int_of_float (ceil (q *. float n)) - 1 in
  a.(max 0 (min (n - 1) rank))

let median a =
  let a = sorted "median" a in
  let n = Array.length a in
  if n mod 2 = 1 then a.(n / 2) else (a.((n / 2) - 1) +. a.(n / 2)) /. 2.

let geometric_mean a =
  let a = sorted "geometric_mean" a in
  exp (Array.fold_left (fun sum x -> sum +. log x) 0. a /. float (Array.length a))

let minimum a = (sorted "minimum" a).(0)
let quartiles a = (quantile 0.25 a, quantile 0.75 a)

type summary = { count : int; low : float; median : float; high : float }

let summary a =
  let low, high = quartiles a in
  { count = Array.length a; low; median = median a; high }

let spread s = (s.high -. s.low) /. s.median
