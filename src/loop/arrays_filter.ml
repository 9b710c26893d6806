(* Arrays, picked from. *)

let filter f a = Pack.select (Pack.mark (Array.length a) (fun i -> f (Array.unsafe_get a i))) true a

let partition f a =
  let marks = Pack.mark (Array.length a) (fun i -> f (Array.unsafe_get a i)) in
  (Pack.select marks true a, Pack.select marks false a)

let filter_map f a =
  Pack.collect
    (Blocks.divide (Array.length a))
    (fun lo hi push ->
      for i = lo to hi do
        match f (Array.unsafe_get a i) with Some y -> push y | None -> ()
      done)

let dedup equal a =
  let keep i = i = 0 || not (equal (Array.unsafe_get a (i - 1)) (Array.unsafe_get a i)) in
  Pack.select (Pack.mark (Array.length a) keep) true a
