(* A stack for tasks and threads, whose [pop] waits until there is something: a mutex guards it, and
   a condition variable tells those who wait of a change. *)

module Blocking_stack = struct
  type 'a t = {
    mutable items : 'a list;
    mutex : Drover.Mutex.t;
    not_empty : Drover.Condition.t;
  }

  let create () =
    {
      items = [];
      mutex = Drover.Mutex.create ();
      not_empty = Drover.Condition.create ();
    }

  let push s x =
    Drover.Mutex.protect s.mutex (fun () ->
        s.items <- x :: s.items;
        Drover.Condition.signal s.not_empty)

  let rec take s =
    match s.items with
    | x :: rest ->
        s.items <- rest;
        x
    | [] ->
        Drover.Condition.wait s.not_empty s.mutex;
        take s

  let pop s = Drover.Mutex.protect s.mutex (fun () -> take s)
end

let () =
  let s = Blocking_stack.create () in
  let popped =
    Drover.async (fun () -> List.init 10 (fun _ -> Blocking_stack.pop s))
  in
  let thread =
    Thread.create
      (fun () -> List.iter (Blocking_stack.push s) [ 1; 2; 3; 4; 5 ])
      ()
  in
  Drover.parallel_for ~start:6 ~finish:10 (Blocking_stack.push s);
  Thread.join thread;
  let sum = List.fold_left ( + ) 0 (Drover.await popped) in
  Printf.printf "popped 10 numbers, %d in all\n" sum
