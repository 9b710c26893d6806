let filter f a = Pack.select (Pack.mark_elements f a) true a

let partition f a =
  let marks = Pack.mark_elements f a in
  (Pack.select marks true a, Pack.select marks false a)

let collect f a =
  Collect.over (Array.length a) (fun b lo hi ->
      for i = lo to hi do
        f (Array.unsafe_get a i) (Collect.pusher b)
      done)

let filter_map f a =
  Collect.over (Array.length a) (fun b lo hi ->
      for i = lo to hi do
        match f (Array.unsafe_get a i) with Some y -> Collect.push b y | None -> ()
      done)

let concat_map f a =
  Collect.over (Array.length a) (fun b lo hi ->
      for i = lo to hi do
        Collect.append b (f (Array.unsafe_get a i))
      done)

let dedup equal a =
  let keep i = i = 0 || not (equal (Array.unsafe_get a (i - 1)) (Array.unsafe_get a i)) in
  Pack.select (Pack.mark_places (Array.length a) keep) true a
