(* Messages to and fro between two ranks: the least time of one way. *)

open Drover_mpi

let measure name ~rounds ~repeats turn =
  let best = ref infinity in
  for _ = 1 to repeats do
    barrier ();
    let start = Unix.gettimeofday () in
    for _ = 1 to rounds do
      turn ()
    done;
    best := Float.min !best ((Unix.gettimeofday () -. start) /. float rounds /. 2.)
  done;
  if rank () = 0 then Printf.printf "%-24s %10.3f us\n%!" name (!best *. 1e6)

let numbers name t ~rounds ~repeats =
  measure name ~rounds ~repeats (fun () ->
      if rank () = 0 then begin
        Numbers.send 1 t;
        Numbers.recv 1 t
      end
      else if rank () = 1 then begin
        Numbers.recv 0 t;
        Numbers.send 0 t
      end)

let value () =
  measure "an integer as a value" ~rounds:100 ~repeats:100 (fun () ->
      if rank () = 0 then begin
        Values.send 1 0;
        ignore (Values.recv 1 : int)
      end
      else if rank () = 1 then Values.send 0 (Values.recv 0 : int))

let bigarray n = Numbers.bigarray (Bigarray.Array1.init Float64 C_layout n float)

let all () =
  numbers "bigarray of 8 bytes" (bigarray 1) ~rounds:500 ~repeats:400;
  numbers "bigarray of 8 KB" (bigarray 1024) ~rounds:100 ~repeats:200;
  numbers "bigarray of 8 MB" (bigarray (1 lsl 20)) ~rounds:3 ~repeats:40;
  numbers "float array of 8 MB" (Numbers.floats (Array.make (1 lsl 20) 0.)) ~rounds:3 ~repeats:40;
  value ()

let () = run ~domains:1 (fun () -> ignore (everywhere all : unit array))
