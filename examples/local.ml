(* A value that belongs to a task and to all that it starts; and system calls that block. *)

let request = Drover.Local.create "none"

let log lines text =
  Drover.Chan.send lines (Drover.Local.get request ^ ": " ^ text)

let handle lines name =
  Drover.Local.with_value request name (fun () ->
      let (), () =
        Drover.both
          (fun () -> log lines "left")
          (fun () -> log lines "right")
      in
      ())

let () =
  let lines = Drover.Chan.unbounded () in
  Drover.run (fun () ->
      ignore
        (Drover.all
           [ (fun () -> handle lines "A"); (fun () -> handle lines "B") ]));
  let received = List.init 4 (fun _ -> Drover.Chan.recv lines) in
  List.iter print_endline (List.sort compare received)

let read_all files =
  Drover.all
    (List.map
       (fun file () ->
         Drover.blocking (fun () ->
             In_channel.with_open_bin file In_channel.input_all))
       files)

let () =
  let sizes =
    List.map String.length (read_all [ "/dev/null"; "/dev/null" ])
  in
  List.iter (Printf.printf "%d\n") sizes
