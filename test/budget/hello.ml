let () = Drover.run ~domains:2 (fun () -> print_endline "Hello, world!")
