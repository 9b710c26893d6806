let task f =
  let there, tell = Drover.Promise.create () in
  let task =
    Drover.async (fun () ->
        Drover.Promise.fulfil tell ();
        f ())
  in
  Drover.await there;
  task
