(* A log in memory, by the cookbook's delayed sequence. *)

let drover text =
  Drover.Delayed.(
    lines text
    |> filter_map Log.user_and_bytes
    |> reduce_by ~combine:( + ) fst snd)
  |> Array.to_list |> List.sort compare

let kernel =
  Drover_programs.Program.kernel ~name:"logs-delayed"
    ~doc:"a log by key: lines in memory, by Delayed"
    ~sizes:(1_000, 100_000, 1_000_000)
    ~about:Log.about ~input:Log.text ~show:Log.show
    ~serial:Log.serial_of_text ~drover ()
