(* 1,000 jobs that each let the loop detach another one waited for ever: they held all places. *)

let job i () =
  Drover.sleep 0.01;
  1 + Drover_lwt.run_in_main (fun () -> Drover_lwt.detach (fun () -> i))

let () =
  Case.main ~seconds:30. @@ fun () ->
  let all () = Lwt_list.map_p (fun i -> Drover_lwt.detach (job i)) (List.init 1000 Fun.id) in
  match Lwt_main.run (Lwt_unix.with_timeout 10. all) with
  | results -> Case.expect (results = List.init 1000 succ) "1,000 jobs that detach others end"
  | exception Lwt_unix.Timeout ->
      Case.wrong "1,000 jobs that detach others wait for ever, %d of %d in flight"
        (Drover_lwt.in_flight ()) (Drover_lwt.max_in_flight ())
