(* A log by way of [Drover.Seq.map], as in the cookbook's pipeline: the tasks take the lines apart,
   and the consumer adds up. *)

let drover path =
  Log.with_lines path (fun lines ->
      let sums = Hashtbl.create 1_000 in
      Drover.Seq.map Log.user_and_bytes lines
      |> Seq.iter (Option.iter (fun (user, n) -> Log.add sums user n));
      Log.sorted sums)

let kernel =
  Drover_programs.Program.kernel ~name:"logs-seq"
    ~doc:"a log by key: the lines of a file by Seq.map"
    ~sizes:(1_000, 100_000, 1_000_000)
    ~about:Log.about ~input:Log.file ~show:Log.show
    ~serial:Log.serial_of_file ~drover ()
