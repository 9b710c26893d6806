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
