(* [Chan.of_stream] did not notice that its channel was closed while the stream was empty, and took the
   next element. *)

let () =
  Case.main @@ fun () ->
  Eio_main.run @@ fun _ ->
  let stream = Eio.Stream.create 10 and channel = Drover.Chan.bounded 2 in
  let ended = ref false in
  let feed () =
    try Drover_eio.Chan.of_stream stream channel with Drover.Chan.Closed -> ended := true
  in
  let close () =
    Eio_unix.sleep 0.1;
    Drover.Chan.close channel;
    Eio_unix.sleep 1.;
    let in_time = !ended in
    Eio.Stream.add stream "element";
    in_time
  in
  let in_time = snd (Eio.Fiber.pair feed close) in
  let left = Eio.Stream.length stream in
  Case.expect
    (in_time && left = 1)
    "a second after its channel is closed, of_stream has ended: %b; of a later element %d is left"
    in_time left
