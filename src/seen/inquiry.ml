(* Inquiry: a program that has a timer never stands still, although its tasks may wait for ever. So it can be asked.

   1. [drover where] makes a socket in the program's folder for temporary files, which belongs to the program's user,
      and listens.
   2. The watch looks for it, a few times a second. If it is there, a thread connects to it, and writes what
      [Situation] tells, as it becomes known; then it closes the socket, and the command knows that this is all.
   3. The command removes the socket. One whose command was killed refuses for good: the program removes it.

   So the program makes nothing that it would leave behind if it is killed, and it needs no signal, which might be for
   something else, or end it. A look is one system call.

   A SIGQUIT is answered in the same way, on standard error. *)

let path () =
  Filename.concat (Filename.get_temp_dir_name ())
    (Printf.sprintf "drover-%d.where" (Unix.getpid ()))

(* When it was made. Others may make files in that folder, too. *)
let made path =
  match Unix.lstat path with
  | { st_kind = S_SOCK; st_uid; st_mtime; _ } when st_uid = Unix.geteuid () -> Some st_mtime
  | _ -> None
  | exception Unix.Unix_error _ -> None

let is_there path = made path <> None

(* Of a command that lives, it may do so for a moment. *)
let remove_if_old path =
  match made path with
  | Some at when Unix.gettimeofday () -. at > 1. -> Unix.unlink path
  | Some _ | None -> ()

(* Who does not read must not keep the thread's domain from its end. *)
let patience = 5. (* seconds *)

let rec write socket text from =
  if from < String.length text then
    let written = Unix.write_substring socket text from (String.length text - from) in
    write socket text (from + written)

(* The thread blocks SIGPIPE, which a command that was interrupted would cause. *)
let answer_command ~silence path =
  let socket = Unix.socket ~cloexec:true PF_UNIX SOCK_STREAM 0 in
  let print text = write socket (text ^ "\n") 0 in
  Fun.protect
    ~finally:(fun () -> Unix.close socket)
    (fun () ->
      Unix.setsockopt_float socket SO_SNDTIMEO patience;
      match Unix.connect socket (ADDR_UNIX path) with
      | () -> Situation.tell ~silence ~in_full:false print
      | exception Unix.Unix_error (ECONNREFUSED, _, _) -> remove_if_old path)

let is_signalled = Atomic.make false

let on_sigquit () =
  if Sys.unix then
    Sys.set_signal Sys.sigquit (Signal_handle (fun _ -> Atomic.set is_signalled true))

(* One answer at a time. *)
let is_busy = Atomic.make false

let answer ~silence path () =
  (try
     if Atomic.exchange is_signalled false then Situation.tell ~silence ~in_full:false Debug.say;
     if is_there path then answer_command ~silence path
   with
  (* The command has gone, or no descriptor is free. *)
  | Unix.Unix_error _ -> ()
  | exn -> Failure.report (Failure.caught exn));
  Atomic.set is_busy false

let look ~silence =
  let path = path () in
  if
    (Atomic.get is_signalled || is_there path)
    && Atomic.compare_and_set is_busy false true
    && not (Signals.spawn_thread (answer ~silence path))
  then Atomic.set is_busy false
