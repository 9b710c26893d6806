let rounds = 5

let check what ~limit amount round =
  let rec go left before =
    round ();
    let grown = amount () - before in
    if grown > limit then
      if left = 1 then Alcotest.failf "%s: %d more after each round, such as %d" what limit grown
      else go (left - 1) (before + grown)
  in
  go rounds (amount ())

let live_words () =
  Gc.full_major ();
  (Gc.stat ()).live_words
