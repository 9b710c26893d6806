let task f =
  let there, tell = Drover.Promise.create () in
  let task =
    Drover.async (fun () ->
        Drover.Promise.fulfil tell ();
        f ())
  in
  Drover.await there;
  task

let while_waiting f beside =
  Drover.run ~domains:1 (fun () ->
      let promise, promised = Drover.Promise.create () in
      let waiting = task (fun () -> f (fun () -> Drover.await promise)) in
      beside ();
      Drover.Promise.fulfil promised ();
      Drover.await waiting)
