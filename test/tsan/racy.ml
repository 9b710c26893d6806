(* Programs that race: ThreadSanitizer must report them, with Drover's suppressions too. *)

let () =
  let sum = ref 0 and numbers = Array.make 10 0 in
  Drover.run ~domains:2 (fun () ->
      for _ = 1 to 200 do
        let left () =
          Cell.spin 200_000;
          incr sum
        in
        ignore (Drover.both left (fun () -> incr sum) : unit * unit)
      done;
      Drover.parallel_for ~start:0 ~finish:5000 (fun i ->
          Cell.spin 200;
          numbers.(0) <- numbers.(0) + i))
