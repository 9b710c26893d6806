(* All programs, theme by theme *)

let themes =
  [
    ("forks", Forks.all);
    ("loops", Loops.all);
    ("tasks", Tasks.all);
    ("waits", Waits.all);
    ("batches", Batches.all);
    ("regions", Regions.all);
    ("arrays", Array_functions.all);
  ]

let programs = List.concat_map snd themes
