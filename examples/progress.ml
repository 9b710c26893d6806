(* A progress bar beside work. *)

(* [work] gets a function to be called when a part of it is done; [show n] is called from time to time,
   when [n] parts are. *)
let with_progress show work =
  let finished = Atomic.make 0 in
  let rec go () =
    show (Atomic.get finished);
    Drover.sleep 0.1;
    go ()
  in
  Drover.Scope.run (fun scope ->
      Drover.Scope.daemon scope go;
      work (fun () -> Atomic.incr finished))

let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

let () =
  let parts = 100 in
  let show n =
    if Unix.isatty Unix.stderr then Printf.eprintf "\r%d of %d%!" n parts
  in
  let sum = Atomic.make 0 in
  with_progress show (fun part_is_done ->
      Drover.parallel_for ~start:1 ~finish:parts (fun i ->
          ignore (Atomic.fetch_and_add sum (fib (i mod 20)));
          part_is_done ()));
  Printf.printf "%d\n" (Atomic.get sum)
