(* A pool that closes has done all that it has admitted, and admits nothing more. *)

open Case

let pool s = Drover.Pool.create ~domains:s.domains ()

(* Tasks that start others, beside a call of [close]. *)
let busy s =
  let pool = pool s and ran = Atomic.make 0 in
  let rec task depth () =
    work s 10_000;
    one_more ran;
    if depth > 0 then
      for _ = 1 to 2 do
        ignore (Drover.async (task (depth - 1)) : unit Drover.Promise.t)
      done
  in
  ignore (Drover.Pool.async pool (task 4) : unit Drover.Promise.t);
  Drover.Pool.close pool;
  equal s "tasks that ran" 31 (Atomic.get ran)

(* Threads that start tasks until they are refused. *)
let outside s =
  let pool = pool s and started = Atomic.make 0 and ran = Atomic.make 0 in
  let rec start () =
    let task () =
      work s 10_000;
      one_more ran
    in
    match Drover.Pool.async pool task with
    | (_ : unit Drover.Promise.t) ->
        one_more started;
        work s 20_000;
        start ()
    | exception Invalid_argument _ -> ()
  in
  let threads = Stdlib.List.init 3 (fun _ -> Thread.create start ()) in
  work s 200_000;
  Drover.Pool.close pool;
  Stdlib.List.iter Thread.join threads;
  equal s "tasks that ran" (Atomic.get started) (Atomic.get ran)

(* Callers that lend their threads. *)
let callers s =
  let pool = pool s in
  let rec call () =
    match
      Drover.Pool.run pool (fun () ->
          Drover.both
            (fun () ->
              work s 10_000;
              1)
            (fun () -> 2))
    with
    | sum ->
        expect s "a result" (sum = (1, 2));
        work s 20_000;
        call ()
    | exception Invalid_argument _ -> ()
  in
  let threads = Stdlib.List.init 2 (fun _ -> Thread.create call ()) in
  work s 200_000;
  Drover.Pool.close pool;
  Stdlib.List.iter Thread.join threads

let twice s =
  let pool = pool s and ran = Atomic.make 0 in
  let task () =
    work s 50_000;
    one_more ran
  in
  for _ = 1 to 4 do
    ignore (Drover.Pool.async pool task : unit Drover.Promise.t)
  done;
  let close () =
    Drover.Pool.close pool;
    equal s "tasks that ran" 4 (Atomic.get ran)
  in
  let other = Thread.create close () in
  close ();
  Thread.join other

(* Tasks that wait for what comes from another pool while both close. *)
let waiting s =
  let a = pool s and b = pool s in
  let from_b () = Drover.await (Drover.Pool.async b (fun () -> work s 50_000)) in
  let promises = Stdlib.List.init 4 (fun _ -> Drover.Pool.async a from_b) in
  Drover.Pool.close a;
  Drover.Pool.close b;
  expect s "a task has not ended" (Stdlib.List.for_all Drover.Promise.is_settled promises)

let all =
  [
    case "tasks that start others" busy;
    case "tasks from outside" outside;
    case "callers" callers;
    case "close, twice" twice;
    case "two pools" waiting;
  ]
