(* A program that allocates on every step wants a larger minor heap, so that its domains stop less
   often. *)

let () =
  Drover.Pool.with_pool ~minor_heap_words:1_000_000 @@ fun pool ->
  let words n = List.init n string_of_int in
  let lists =
    Drover.Pool.run pool (fun () -> Drover.Array.init 1_000 words)
  in
  Printf.printf "%d lists\n" (Array.length lists)
