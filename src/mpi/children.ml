(* Children: the ranks that rank 0 starts on its machine, as copies of the program.

   A child begins as rank 0 began: the same file, in the same directory ([Origin]), with the same
   arguments. Its standard input is a socket to rank 0, which it puts away before the program's own code
   begins.

   No child is left behind: whatever ends rank 0 closes the sockets, at which the others end, as soon as
   OCaml has its thread look. On Linux the system does not wait for that, but ends a child with the thread
   that has started it. So children are started by the thread that calls [run], which has to wait for
   their end, and not by a worker of a pool. *)

type t = { pid : int; socket : Unix.file_descr; mutable status : Unix.process_status option }

let variable = "DROVER_MPI_RANK" (* RANK/SIZE/DOMAINS/PARENT *)

(* How they end *)

let reason = function
  | Unix.WEXITED code -> Printf.sprintf "it ended with exit code %d" code
  | WSIGNALED s -> Printf.sprintf "it was ended by %s" (Sys.signal_to_string s)
  | WSTOPPED _ -> "it was stopped"

(* [None] if it has not ended [seconds] from now. *)
let rec await_end child seconds =
  let step = 0.002 in
  let look () =
    match Unix.waitpid [ WNOHANG ] child.pid with
    | 0, _ -> ()
    | _, status -> child.status <- Some status
    | exception Unix.Unix_error (EINTR, _, _) -> ()
    | exception Unix.Unix_error _ -> child.status <- Some (WEXITED 255)
  in
  if child.status = None then look ();
  if child.status = None && seconds > 0. then begin
    Unix.sleepf step;
    await_end child (seconds -. step)
  end
  else child.status

(* Somebody else may have learnt of its end. *)
let kill child =
  if child.status = None then
    try Unix.kill child.pid Sys.sigkill with Unix.Unix_error (ESRCH, _, _) -> ()

(* Waits for its end, which does not take long. *)
let stop child =
  kill child;
  ignore (await_end child infinity : Unix.process_status option)

(* In rank 0 *)

let environment bindings =
  let name binding = List.hd (String.split_on_char '=' binding) in
  let names = List.map name bindings in
  let others b = not (List.mem (name b) names) in
  Array.append (Array.of_list bindings)
    (Array.of_list (List.filter others (Array.to_list (Unix.environment ()))))

let start_one ~size ~domains rank =
  let place = Printf.sprintf "%s=%d/%d/%d/%d" variable rank size domains (Unix.getpid ()) in
  let environment = environment [ place; Origin.binding ] in
  let socket, theirs = Unix.socketpair ~cloexec:true PF_UNIX SOCK_STREAM 0 in
  let start () =
    Unix.create_process_env (Origin.file ()) Sys.argv environment theirs Unix.stdout Unix.stderr
  in
  { pid = Fun.protect start ~finally:(fun () -> Unix.close theirs); socket; status = None }

(* Those from [rank] on, by rank. *)
let rec start ~size ~domains rank =
  if rank = size then []
  else
    let child = start_one ~size ~domains rank in
    try child :: start ~size ~domains (rank + 1)
    with exn ->
      stop child;
      Unix.close child.socket;
      raise exn

(* In a child *)

type place = { rank : int; size : int; domains : int; socket : Unix.file_descr }

external end_with_parent : unit -> unit = "drover_mpi_end_with_parent" [@@noalloc]

(* It may have ended before. *)
let stay_with parent =
  end_with_parent ();
  if Unix.getppid () <> parent then Unix._exit 1

let read_place text =
  match List.map int_of_string_opt (String.split_on_char '/' text) with
  | [ Some rank; Some size; Some domains; Some parent ] ->
      stay_with parent;
      let socket = Unix.dup ~cloexec:true Unix.stdin in
      let nothing = Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0 in
      Unix.dup2 ~cloexec:false nothing Unix.stdin;
      Unix.close nothing;
      Some { rank; size; domains; socket }
  | _ -> None

(* Before the program's own code, which may read its standard input or start programs. *)
let place =
  let place = Option.bind (Sys.getenv_opt variable) read_place in
  if place <> None then Unix.putenv variable "";
  place
