(* Four ways to count together. Only the first is wrong: between the read and the write of a plain
   reference others may count too, and are lost. *)

let n = 100_000

let plain () =
  let count = ref 0 in
  Drover.parallel_for ~start:1 ~finish:n (fun _ -> count := !count + 1);
  !count

let atomic () =
  let count = Atomic.make 0 in
  Drover.parallel_for ~start:1 ~finish:n (fun _ -> Atomic.incr count);
  Atomic.get count

(* Right too, and the way to go when more than one word changes. *)
let guarded () =
  let count = ref 0 and mutex = Drover.Mutex.create () in
  Drover.parallel_for ~start:1 ~finish:n (fun _ ->
      Drover.Mutex.protect mutex (fun () -> count := !count + 1));
  !count

(* The fastest: nobody shares anything. *)
let apart () =
  Drover.parallel_reduce ~start:1 ~finish:n ~init:0 ~combine:( + ) (fun _ ->
      1)

let () =
  Printf.printf "plain: at most %d: %b\n" n (plain () <= n);
  Printf.printf "atomic: %d\n" (atomic ());
  Printf.printf "guarded: %d\n" (guarded ());
  Printf.printf "apart: %d\n" (apart ())
