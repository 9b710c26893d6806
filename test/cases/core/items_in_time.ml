(* Items of a loop that fork, and take a tenth of a second each: some did not end before the loop did,
   as a worker stood by inside them. *)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Drover.both (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let ended = Atomic.make 0

(* How many other items end during this one. *)
let overtaken _ =
  let before = Atomic.get ended in
  ignore (fib 31 : int);
  Atomic.fetch_and_add ended 1 - before

let () =
  Case.main ~seconds:60. @@ fun () ->
  let items () = Drover.run ~domains:2 (fun () -> Drover.Array.init 80 overtaken) in
  let most = Array.fold_left Int.max 0 (Case.beside 2 items) in
  Case.expect (most < 20) "of 80 items that fork up to %d end during another one" most
