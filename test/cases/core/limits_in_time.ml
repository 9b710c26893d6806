(* Items of a loop with a time limit of 50 ms each, which fork all the time: some were stopped 0.4 to
   2.4 s late, as a worker stood by inside an unfinished item. *)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Drover.both (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let fork () =
  while Sys.opaque_identity true do
    ignore (fib 25 : int)
  done

let late _ =
  let start = Case.now () in
  match Drover.Scope.with_timeout 0.05 fork with
  | () -> assert false (* it never returns *)
  | exception Drover.Scope.Timeout -> Case.now () -. start -. 0.05

let () =
  Case.main ~seconds:40. @@ fun () ->
  let items () = Drover.run ~domains:2 (fun () -> Drover.Array.init 200 late) in
  let late = Array.to_list (Case.beside 2 items) in
  let most = Case.quantile 1. late in
  Case.expect (most < 0.25) "200 limits of 50 ms come at most %.0f ms late" (1e3 *. most)
