(* Tasks: promises, and scopes. *)

open Program

let task w visit i =
  Drover.async (fun () ->
      busy w;
      visit i)

let from_one w =
  each
    ~name:("async-" ^ duration w)
    ~doc:(Printf.sprintf "tasks of %s that one task starts, and awaits in order" (duration w))
    ~work:w
    (fun n visit -> List.iter Drover.await (List.init n (task w visit)))

let backwards =
  each ~name:"async-backwards" ~doc:"tasks of 1us that one task starts, and awaits from the last"
    ~work:1_000 (fun n visit -> List.iter Drover.await (List.rev (List.init n (task 1_000 visit))))

let from_all =
  let some = 10 in
  let of_size size =
    let n = fitting size ~each:(some * 1_000) in
    let run visit =
      Loops.parallel_for n (fun i ->
          let one j = task 1_000 visit ((i * some) + j) in
          List.iter Drover.await (List.init some one))
    in
    { work = n * some * 1_000; operations = n * some; prepare = marking (n * some) run }
  in
  { name = "async-from-all"; doc = "tasks of 1us, ten from each iteration of a loop"; of_size }

let scope =
  each ~name:"scope" ~doc:"tasks of 1us that one task spawns in a scope" ~work:1_000 (fun n visit ->
      Drover.Scope.run (fun scope ->
          for i = 0 to n - 1 do
            Drover.Scope.spawn scope (fun () ->
                busy 1_000;
                visit i)
          done))

let chain =
  each ~name:"chain" ~doc:"tasks of 5us each of which then awaits the one before" ~work:5_000
    (fun n visit ->
      let next before i =
        Drover.async (fun () ->
            busy 5_000;
            Drover.await before;
            visit i)
      in
      Drover.await (List.fold_left next (Drover.Promise.of_value ()) (List.init n Fun.id)))

let all = [ from_one 1_000; from_one 10_000; backwards; from_all; scope; chain ]
