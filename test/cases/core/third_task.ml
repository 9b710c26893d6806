(* Two tasks forked all the time, and a third ticked every 20 ms, in a pool of four on two crowded
   processors: after one tick came none for 15 s. *)

let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

let tick () =
  let due = Case.now () +. 0.02 in
  Drover.sleep 0.02;
  Case.now () -. due

let ticks () =
  let over = Atomic.make false in
  let fork () =
    while not (Atomic.get over) do
      ignore (Drover.both (fun () -> fib 22) (fun () -> fib 22) : int * int)
    done
  in
  Drover.run ~domains:4 @@ fun () ->
  Drover.Scope.run @@ fun s ->
  Drover.Scope.spawn s fork;
  Drover.Scope.spawn s fork;
  let late = List.init 30 (fun _ -> tick ()) in
  Atomic.set over true;
  late

let () =
  Case.main @@ fun () ->
  let most = Case.quantile 1. (Case.beside 2 ticks) in
  Case.expect (most < 0.5) "30 ticks come at most %.0f ms late" (1e3 *. most)
