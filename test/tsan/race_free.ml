(* Race-free programs: whatever ThreadSanitizer reports of the data in them is a hand-over that it does
   not see. *)

open Cell

(* Threads and domains from outside, and pools beside each other. *)

let outside domains rounds =
  let pool = Drover.Pool.create ~domains () in
  let visit () =
    for i = 1 to rounds do
      let c = filled i in
      Drover.Pool.run pool (fun () -> take c i);
      fill c i;
      Drover.await (Drover.Pool.async pool (fun () -> take c i));
      fill c i
    done
  in
  let threads = List.init 3 (fun _ -> Thread.create visit ())
  and visitors = List.init 2 (fun _ -> Domain.spawn visit) in
  List.iter Thread.join threads;
  List.iter Domain.join visitors;
  let c = create () in
  ignore (Drover.Pool.async pool (fun () -> fill c 1) : unit Drover.Promise.t);
  Drover.Pool.close pool;
  take c 1

let pools domains rounds =
  let p = Drover.Pool.create ~domains () and q = Drover.Pool.create ~domains:2 () in
  Drover.Pool.run p (fun () ->
      for i = 1 to rounds do
        let c = filled i in
        Drover.Pool.run q (fun () -> take c i);
        fill c i
      done);
  Drover.Pool.close p;
  Drover.Pool.close q

let facade domains rounds =
  let open Domainslib in
  let pool = Task.setup_pool ~num_domains:(domains - 1) () in
  let channel = Chan.make_bounded 3 in
  let send () =
    for i = 1 to rounds do
      Chan.send channel (filled i)
    done
  in
  Task.run pool (fun () ->
      let sender = Task.async pool send in
      let numbers = Array.make 500 0 in
      for i = 1 to rounds do
        take (Chan.recv channel) i;
        Task.parallel_for pool ~start:0 ~finish:499 ~body:(fun j -> numbers.(j) <- j);
        numbers.(3) <- i
      done;
      Task.await pool sender);
  Task.teardown_pool pool

let run domains rounds =
  let play name f =
    Printf.printf "%d domains: %s\n%!" domains name;
    f ()
  in
  let inside name f = play name (fun () -> Drover.run ~domains f) in
  let repeat (name, f) =
    inside name (fun () ->
        for i = 1 to rounds do
          f i
        done)
  in
  List.iter repeat With_tasks.all;
  List.iter (fun (name, f) -> inside name (fun () -> f rounds)) With_objects.all;
  play "outside" (fun () -> outside domains rounds);
  play "pools" (fun () -> pools domains rounds);
  play "Domainslib" (fun () -> facade domains rounds)

let () =
  let rounds = int_of_string Sys.argv.(1) in
  List.iter (fun domains -> run domains rounds) [ 1; 2; 4 ]
