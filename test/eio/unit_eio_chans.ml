(* Channels between fibers and tasks. *)

open In_eio
module Chan = Drover.Chan

let n = 1000

(* A fiber feeds tasks, which answer another fiber. *)
let there_and_back _env =
  let numbers = Chan.bounded 3 and squares = Chan.bounded 3 in
  let worker () = Chan.iter (fun i -> Chan.send squares (i * i)) numbers in
  let feed () =
    for i = 1 to n do
      Drover_eio.Chan.send numbers i
    done;
    Chan.close numbers
  in
  let rec collect sum =
    match Drover_eio.Chan.recv squares with
    | square -> collect (sum + square)
    | exception Chan.Closed -> sum
  in
  let compute () =
    Drover_eio.run (fun () -> ignore (Drover.all (List.init 4 (fun _ -> worker)) : unit list));
    Chan.close squares
  in
  let sum, () = Eio.Fiber.pair (fun () -> collect 0) (fun () -> Eio.Fiber.both feed compute) in
  check_int "sum" (n * (n + 1) * ((2 * n) + 1) / 6) sum

(* In order, with Eio's streams at the ends. *)
let streams _env =
  let source = Eio.Stream.create 2 and sink = Eio.Stream.create 2 in
  let numbers = Chan.bounded 2 and doubles = Chan.rendezvous () in
  let double () =
    for _ = 1 to n do
      Chan.send doubles (2 * Chan.recv numbers)
    done;
    Chan.close doubles
  in
  Eio.Switch.run (fun sw ->
      Eio.Fiber.fork_daemon ~sw (fun () -> Drover_eio.Chan.of_stream source numbers);
      Eio.Fiber.fork ~sw (fun () -> Drover_eio.Chan.to_stream doubles sink);
      Eio.Fiber.fork ~sw (fun () -> Drover_eio.run double);
      Eio.Fiber.fork ~sw (fun () ->
          for i = 1 to n do
            Eio.Stream.add source i
          done);
      let doubled = List.init n (fun _ -> Eio.Stream.take sink) in
      Alcotest.(check (list int)) "in order" (List.init n (fun i -> 2 * (i + 1))) doubled)

(* No more than the channel and the streams hold are on their way. *)
let bounded _env =
  let source = Eio.Stream.create 2 and numbers = Chan.bounded 3 in
  let added = ref 0 in
  Eio.Switch.run (fun sw ->
      Eio.Fiber.fork_daemon ~sw (fun () -> Drover_eio.Chan.of_stream source numbers);
      Eio.Fiber.fork_daemon ~sw (fun () ->
          while true do
            Eio.Stream.add source !added;
            incr added
          done);
      (* Two in the stream, three in the channel, and one between the two. *)
      until (fun () -> !added = 6);
      for _ = 1 to 20 do
        Eio_unix.sleep 0.0005
      done;
      check_int "added" 6 !added)

(* A receive that is cancelled has received nothing, and a send has sent nothing. *)
let cancelled _env =
  let chan = Chan.bounded 1 in
  let received = ref 0 and sent = ref 0 and left = ref 0 in
  let pause i = if i mod 3 > 0 then Eio_unix.sleep (0.0001 *. float (i mod 3)) in
  let recv () =
    ignore (Drover_eio.Chan.recv chan : int);
    incr received
  in
  let send i () =
    Drover_eio.Chan.send chan i;
    incr sent
  in
  for i = 1 to 500 do
    Eio.Fiber.both
      (fun () -> Eio.Fiber.first recv (fun () -> pause i))
      (fun () -> Eio.Fiber.first (send i) (fun () -> pause (i / 3)))
  done;
  let rec drain () =
    match Chan.try_recv chan with
    | Some _ ->
        incr left;
        drain ()
    | None -> ()
  in
  drain ();
  check_int "received and left" !sent (!received + !left)

let closed _env =
  let chan = Chan.bounded 1 in
  Drover_eio.Chan.send chan 1;
  let raises_closed f = match f () with () -> false | exception Chan.Closed -> true in
  let waits, _ =
    Eio.Fiber.pair
      (fun () -> raises_closed (fun () -> Drover_eio.Chan.send chan 2))
      (fun () -> Chan.close chan)
  in
  check_bool "a send that waits" true waits;
  check_int "what was sent" 1 (Drover_eio.Chan.recv chan);
  check_bool "send" true (raises_closed (fun () -> Drover_eio.Chan.send chan 3));
  check_bool "recv" true (raises_closed (fun () -> ignore (Drover_eio.Chan.recv chan : int)));
  let source = Eio.Stream.create 1 in
  Eio.Stream.add source 4;
  check_bool "of_stream" true (raises_closed (fun () -> Drover_eio.Chan.of_stream source chan))

(* Before it has begun to wait, while it waits for the stream, and for the channel. *)
let closed_beneath _env =
  let closes_at wait ~left =
    let source = Eio.Stream.create 3 and chan = Chan.bounded 1 in
    let ends () =
      match Drover_eio.Chan.of_stream source chan with () -> false | exception Chan.Closed -> true
    and close () =
      wait source chan;
      Chan.close chan
    in
    let ended, () = Eio.Fiber.pair ends close in
    check_bool "it ends" true ended;
    Eio.Stream.add source 0;
    check_int "what comes later stays" left (Eio.Stream.length source)
  in
  closes_at (fun _ _ -> ()) ~left:1;
  closes_at
    (fun source _ ->
      for _ = 1 to 5 do
        Eio.Fiber.yield ()
      done;
      check_int "empty" 0 (Eio.Stream.length source))
    ~left:1;
  closes_at
    (fun source chan ->
      List.iter (Eio.Stream.add source) [ 1; 2; 3 ];
      until (fun () -> Eio.Stream.length source = 1 && Chan.length chan = 1))
    ~left:2

let () =
  Alcotest.run "unit eio chans"
    [
      ( "chan",
        [
          case "there and back" there_and_back;
          case "streams" streams;
          case "bounded" bounded;
          case "cancelled" cancelled;
          case "closed" closed;
          case "closed beneath of_stream" closed_beneath;
        ] );
    ]
