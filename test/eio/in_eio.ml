open Test_support

let check_int what expected found = Alcotest.(check int) what expected found
let check_bool what expected found = Alcotest.(check bool) what expected found

let rec until condition =
  if not (condition ()) then begin
    Eio_unix.sleep 0.0005;
    until condition
  end

let case name f =
  Watchdog.case name (fun () ->
      Eio_main.run (fun env ->
          f env;
          until (fun () -> Drover_eio.in_flight () = 0)))

let hold ?pool f =
  let workers = match pool with Some pool -> pool | None -> Drover.Pool.default () in
  let n = Drover.Pool.size workers in
  let holding = Atomic.make 0 and go = Atomic.make false in
  let task () =
    Atomic.incr holding;
    while not (Atomic.get go) do
      Domain.cpu_relax ()
    done
  in
  Eio.Switch.run (fun sw ->
      for _ = 1 to n do
        Eio.Fiber.fork ~sw (fun () -> Drover_eio.run ?pool task)
      done;
      until (fun () -> Atomic.get holding = n);
      Fun.protect f ~finally:(fun () -> Atomic.set go true))

let never () = Drover.await (fst (Drover.Promise.create ()))

let spin started =
  Atomic.set started true;
  while true do
    Drover.Scope.check ()
  done;
  assert false
