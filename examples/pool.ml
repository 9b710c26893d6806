(* A pool of one's own, with a number of domains that one chooses. *)

let () =
  Drover.Pool.with_pool ~name:"background" ~domains:2 @@ fun pool ->
  let a, b =
    Drover.Pool.run pool (fun () ->
        Drover.both (fun () -> 40) (fun () -> 2))
  in
  Printf.printf "%s: %d\n" (Drover.Pool.name pool) (a + b)

let () =
  let inside =
    Drover.run ~domains:1 (fun () ->
        Option.map Drover.Pool.size (Drover.Pool.current ()))
  in
  Printf.printf "one domain: %b\n" (inside = Some 1)
