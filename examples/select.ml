(* Whatever comes first: orders, until somebody says stop. *)

let serve orders stop =
  let rec go served =
    Drover.Chan.select
      [
        Drover.Chan.receiving orders (fun n -> go (served + n));
        Drover.Chan.receiving stop (fun () -> served);
      ]
  in
  go 0

let () =
  let orders = Drover.Chan.rendezvous ()
  and stop = Drover.Chan.rendezvous () in
  let server = Drover.async (fun () -> serve orders stop) in
  Drover.parallel_for ~start:1 ~finish:100 (fun _ ->
      Drover.Chan.send orders 1);
  Drover.Chan.send stop ();
  Printf.printf "%d orders\n" (Drover.await server)
