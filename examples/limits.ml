(* A semaphore limits how many do something at a time; a lazy value is computed once, by whoever
   needs it first, while the others wait for it. *)

let table =
  Drover.Lazy.from_fun (fun () ->
      print_endline "the table is made";
      Array.init 10 (fun i -> i * i))

let () =
  let seats = Drover.Semaphore.create 3 in
  let inside = Atomic.make 0 and too_many = Atomic.make 0 in
  let visit i =
    Drover.Semaphore.protect seats (fun () ->
        let now = 1 + Atomic.fetch_and_add inside 1 in
        if now > 3 then Atomic.incr too_many;
        Drover.sleep 0.0001;
        Atomic.decr inside;
        (Drover.Lazy.force table).(i mod 10))
  in
  let sum =
    Drover.parallel_reduce ~start:1 ~finish:100 ~init:0 ~combine:( + ) visit
  in
  Printf.printf "sum: %d, too many inside: %d times\n" sum
    (Atomic.get too_many)

(* Tasks that take memory in proportion to their input: each takes as many
   permits as kilobytes, so all of them together have at most 100. *)

let () =
  let room = Drover.Semaphore.create 100 in
  let in_use = Atomic.make 0 and too_much = Atomic.make 0 in
  let median kilobytes =
    let n = Int.min kilobytes 100 in
    Drover.Semaphore.protect ~n room (fun () ->
        let before = Atomic.fetch_and_add in_use n in
        if before + n > 100 then Atomic.incr too_much;
        let numbers =
          Array.init (128 * kilobytes) (fun i -> i * i mod 1_009)
        in
        Array.sort Int.compare numbers;
        ignore (Atomic.fetch_and_add in_use (-n) : int);
        numbers.(64 * kilobytes))
  in
  let medians = Drover.List.map median [ 3; 90; 1; 50; 7; 200; 60; 2 ] in
  Printf.printf "medians: %s, too much memory: %d times\n"
    (String.concat " " (List.map string_of_int medians))
    (Atomic.get too_much)

(* At most four at a time. *)

let fetch n =
  Drover.sleep 0.001;
  n * n

let () =
  let four = Drover.Semaphore.create 4 in
  let fetch n = Drover.Semaphore.protect four (fun () -> fetch n) in
  let fetched = Drover.List.map fetch (List.init 10 succ) in
  Printf.printf "%d\n" (List.fold_left ( + ) 0 fetched)
