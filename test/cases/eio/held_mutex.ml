(* A task that locked an [Eio.Mutex] failed if it had to wait, and left the mutex such that the loop's
   next [unlock] never returned. *)

let () =
  Case.main ~seconds:5. @@ fun () ->
  Eio_main.run @@ fun _ ->
  let m = Eio.Mutex.create () in
  Eio.Mutex.lock m;
  let in_task =
    match Drover_eio.run (fun () -> Eio.Mutex.lock m) with
    | () -> "locks it"
    | exception _ -> "raises"
  in
  Eio.Mutex.unlock m;
  Case.right "the loop unlocks a mutex; a task that wanted it %s" in_task
