(* A pipeline: each stage is a task or several, and closing a channel ends the next stage when it
   has received what is left. *)

let () =
  let numbers = Drover.Chan.bounded 16
  and squares = Drover.Chan.bounded 16 in
  let produce () =
    for n = 1 to 1000 do
      Drover.Chan.send numbers n
    done;
    Drover.Chan.close numbers
  in
  let work () =
    Drover.Chan.iter (fun n -> Drover.Chan.send squares (n * n)) numbers
  in
  let sum () =
    let total = ref 0 in
    Drover.Chan.iter (fun n -> total := !total + n) squares;
    !total
  in
  let total =
    Drover.Scope.run (fun scope ->
        Drover.Scope.spawn scope produce;
        Drover.Scope.spawn scope (fun () ->
            ignore (Drover.all [ work; work; work ] : unit list);
            Drover.Chan.close squares);
        sum ())
  in
  Printf.printf "%d\n" total
