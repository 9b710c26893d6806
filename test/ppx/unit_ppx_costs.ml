(* A loop allocates nothing for its iterations, and a reduction boxes no floats. *)

open Test_support

let n = 1_000_000

let loops =
  let x = Array.init n float and y = Array.make n 1. in
  let ints = Array.init n Fun.id in
  [
    ( "for%par",
      fun n ->
        for%par i = 0 to n - 1 do
          y.(i) <- y.(i) +. (0.5 *. x.(i))
        done );
    ( "for%sum",
      fun n ->
        ignore
          (for%sum i = 0 to n - 1 do
             x.(i) *. y.(i)
           done
            : float) );
    ( "for%min",
      fun n ->
        ignore
          (for%min i = 0 to n - 1 do
             x.(i) -. y.(i)
           done
            : float) );
    ( "for%max",
      fun n ->
        ignore
          (for%max i = 0 to n - 1 do
             x.(i) -. y.(i)
           done
            : float) );
    ( "for%sum_int",
      fun n ->
        ignore
          (for%sum_int i = 0 to n - 1 do
             ints.(i)
           done
            : int) );
    ( "for%min_int",
      fun n ->
        ignore
          (for%min_int i = 0 to n - 1 do
             ints.(i)
           done
            : int) );
    ( "for%max_int",
      fun n ->
        ignore
          (for%max_int i = 0 to n - 1 do
             ints.(i)
           done
            : int) );
    ( "for%reduce",
      fun n ->
        ignore
          (for%reduce[@combine ( *. )] [@identity 1.] i = 0 to n - 1 do
             x.(i)
           done
            : float) );
    ( "for%reduce, by a function",
      fun n ->
        let distance a b = sqrt ((a *. a) +. (b *. b)) in
        ignore
          (for%reduce[@combine distance] [@identity 0.] i = 0 to n - 1 do
             x.(i)
           done
            : float) );
  ]

(* Not many more than a short loop: some for each of 512 intervals. *)
let few = 16_000.

let allocates_nothing (name, loop) =
  Watchdog.case name @@ fun () ->
  Drover.run ~domains:1 @@ fun () ->
  loop n;
  let before = Gc.minor_words () in
  loop n;
  let words = Gc.minor_words () -. before in
  if words > few then Alcotest.failf "%.0f words for %d iterations" words n

let () = Alcotest.run "ppx costs" [ ("a million iterations", List.map allocates_nothing loops) ]
