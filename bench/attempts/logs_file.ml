(* A log by [Drover.Text.fold_lines_of_file], as in the cookbook. *)

let merge a b =
  let small, large =
    if Hashtbl.length a < Hashtbl.length b then (a, b) else (b, a)
  in
  Hashtbl.iter (fun user sum -> Log.add large user !sum) small;
  large

let drover path =
  let make () = Hashtbl.create 1_000 in
  let step sums line =
    Log.add_line sums line;
    sums
  in
  Log.sorted (Drover.Text.fold_lines_of_file ~make ~merge step path)

let kernel =
  Drover_programs.Program.kernel ~name:"logs-file"
    ~doc:"a log by key: the lines of a file, by fold_lines_of_file"
    ~sizes:(1_000, 100_000, 1_000_000)
    ~about:Log.about ~input:Log.file ~show:Log.show
    ~serial:Log.serial_of_file ~drover ()
