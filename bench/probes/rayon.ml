open Drover_harness

let forks = Rival.find "rayon/forks"
let is_built = Option.is_some forks

let versions shape n =
  let seconds forks ~domains =
    List.hd (Rival.numbers forks [ shape; string_of_int n; string_of_int domains ])
  in
  List.map (fun forks -> Kernel.program "rayon" (seconds forks)) (Option.to_list forks)
