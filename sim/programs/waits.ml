(* Waits: for messages, locks, permits, values and times. *)

open Program

let parallel_for = Loops.parallel_for

let channel =
  each ~name:"channel" ~doc:"messages from one task to as many as there are workers, 5us each"
    ~work:5_000 (fun n visit ->
      let messages = Drover.Chan.bounded 64 in
      let receive i =
        busy 5_000;
        visit i
      and receivers = Option.fold (Drover.Pool.current ()) ~none:1 ~some:Drover.Pool.size in
      Drover.Scope.run (fun scope ->
          for _ = 1 to receivers do
            Drover.Scope.spawn scope (fun () -> Drover.Chan.iter receive messages)
          done;
          for i = 0 to n - 1 do
            Drover.Chan.send messages i
          done;
          Drover.Chan.close messages))

(* 5us outside, and 50ns inside of what [protect] protects. *)
let protected name doc create =
  each ~name ~doc ~work:5_050 (fun n visit ->
      let protect = create () in
      parallel_for n (fun i ->
          busy 5_000;
          protect (fun () -> busy 50);
          visit i))

let mutex =
  protected "mutex" "a loop of 5us, and 50ns under a mutex" (fun () ->
      Drover.Mutex.protect (Drover.Mutex.create ()))

let semaphore =
  protected "semaphore" "a loop of 5us, and 50ns with one of four permits" (fun () ->
      let semaphore = Drover.Semaphore.create 4 in
      fun f -> Drover.Semaphore.protect semaphore f)

let memo =
  let of_size size =
    let n = fitting size ~each:2_000 and keys = fitting size ~each:20_000 in
    let run visit =
      let compute _ key =
        busy 10_000;
        visit key;
        2 * key
      in
      let memo = Drover.Memo.create ~hash ~equal:Int.equal compute in
      parallel_for n (fun i ->
          busy 1_000;
          let key = if i < keys then i else hash i mod keys in
          if Drover.Memo.get memo key = 2 * key then visit (keys + i))
    in
    { work = (n * 1_000) + (keys * 10_000); operations = n; prepare = marking (keys + n) run }
  in
  {
    name = "memo";
    doc = "a loop of 1us, and a memo table's values, each computed in 10us";
    of_size;
  }

let timers =
  each ~name:"timers" ~doc:"tasks that sleep for up to 500us between twice 5us" ~work:10_000
    (fun n visit ->
      Drover.Scope.run (fun scope ->
          for i = 0 to n - 1 do
            Drover.Scope.spawn scope (fun () ->
                busy 5_000;
                Drover.sleep (float (hash i mod 500) *. 1e-6);
                busy 5_000;
                visit i)
          done))

let timeouts =
  each ~name:"timeouts" ~doc:"a loop of 1us, each with a timeout of a second" ~work:1_000
    (fun n visit ->
      parallel_for n (fun i ->
          Drover.Scope.with_timeout 1. (fun () -> busy 1_000);
          visit i))

let all = [ channel; mutex; semaphore; memo; timers; timeouts ]
