let rounds_between_looks = 1_000_000

(* A process whose parent has died, even by a signal that cannot be caught, gets another parent. *)
let rec spin parent =
  for _ = 1 to rounds_between_looks do
    ignore (Sys.opaque_identity ())
  done;
  if Unix.getppid () = parent then spin parent else Unix._exit 0

let stop pid =
  (try Unix.kill pid Sys.sigkill with Unix.Unix_error (ESRCH, _, _) -> ());
  ignore (Unix.waitpid [] pid)

let start_one () =
  let parent = Unix.getpid () in
  match Unix.fork () with
  | 0 ->
      List.iter (fun s -> Sys.set_signal s Sys.Signal_default) [ Sys.sigint; Sys.sigterm ];
      spin parent
  | pid -> pid

let start n =
  for _ = 1 to n do
    let pid = start_one () in
    at_exit (fun () -> stop pid)
  done

let beside n f =
  let pids = List.init n (fun _ -> start_one ()) in
  Fun.protect f ~finally:(fun () -> List.iter stop pids)
