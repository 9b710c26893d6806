(* Eio's functions in a task, and [Drover_eio.run], raised [Effect.Unhandled], which names neither
   Drover nor [in_loop]. *)

let misuses =
  let never, _ = Eio.Promise.create () in
  [
    ("Eio.Promise.await", fun () -> Eio.Promise.await never);
    ("Eio.Fiber.yield", Eio.Fiber.yield);
    ("Eio.Semaphore.acquire", fun () -> Eio.Semaphore.(acquire (make 0)));
  ]

let message f = match f () with () -> "" | exception e -> Printexc.to_string e

let () =
  Case.main @@ fun () ->
  Eio_main.run @@ fun _ ->
  let in_task f () = Drover_eio.run f in
  let is_told (_, f) = Case.contains (message (in_task f)) "in_loop" in
  let run () = Drover_eio.run ignore in
  let run_is_fine = match message (in_task run) with "" -> true | m -> Case.contains m "Drover" in
  let puzzling = List.map fst (List.filter (Fun.negate is_told) misuses) in
  match puzzling @ if run_is_fine then [] else [ "Drover_eio.run" ] with
  | [] -> Case.right "errors of Eio in a task name the way"
  | names -> Case.wrong "in a task the error does not name in_loop: %s" (String.concat ", " names)
