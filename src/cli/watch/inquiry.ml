(* See [Inquiry] of the library's [seen], which answers. *)

let limit = 10. (* seconds *)
let now () = Unix.gettimeofday ()

type answer = Whole of string | Part of string | None_came | Ended | No_way of string

(* Where the program makes temporary files. *)
let path pid =
  let folder =
    match Process.variable pid "TMPDIR" with
    | None -> Filename.get_temp_dir_name ()
    | Some folder when Filename.is_relative folder -> Filename.concat (Process.folder pid) folder
    | Some folder -> folder
  in
  Filename.concat folder (Printf.sprintf "drover-%d.where" pid)

(* Root gives it to the program's user; for others that changes nothing. *)
let give_to_user pid path =
  match Unix.stat (Printf.sprintf "/proc/%d" pid) with
  | { st_uid; _ } -> Unix.chown path st_uid (-1)
  | exception Unix.Unix_error (ENOENT, _, _) -> ()

(* Another command may be there, or have been killed: the program removes that socket then. *)
let rec bind socket path ~until =
  try Unix.bind socket (ADDR_UNIX path)
  with Unix.Unix_error (EADDRINUSE, _, _) when now () < until ->
    Unix.sleepf 0.05;
    bind socket path ~until

(* [false] if the time is over, or the program. *)
let rec is_ready socket pid ~until =
  match Unix.select [ socket ] [] [] 0.1 with
  | [ _ ], _, _ -> true
  | _ -> now () < until && Process.is_alive pid && is_ready socket pid ~until
  | exception Unix.Unix_error (EINTR, _, _) -> is_ready socket pid ~until

let read socket pid ~until =
  let buffer = Buffer.create 4096 and bytes = Bytes.create 4096 in
  let rec go () =
    if not (is_ready socket pid ~until) then Part (Buffer.contents buffer)
    else
      match Unix.read socket bytes 0 4096 with
      | 0 -> Whole (Buffer.contents buffer)
      | n ->
          Buffer.add_subbytes buffer bytes 0 n;
          go ()
      | exception Unix.Unix_error (ECONNRESET, _, _) -> Part (Buffer.contents buffer)
  in
  go ()

let closing socket f = Fun.protect ~finally:(fun () -> Unix.close socket) f

let listen socket pid ~until =
  Unix.listen socket 1;
  if not (is_ready socket pid ~until) then if Process.is_alive pid then None_came else Ended
  else
    let connection, _ = Unix.accept ~cloexec:true socket in
    closing connection (fun () -> read connection pid ~until)

let ask_at path pid =
  let until = now () +. limit and socket = Unix.socket ~cloexec:true PF_UNIX SOCK_STREAM 0 in
  closing socket (fun () ->
      (* What is interrupted must not leave the socket behind. *)
      Sys.catch_break true;
      Unix.fchmod socket 0o600;
      bind socket path ~until;
      Fun.protect
        ~finally:(fun () -> Unix.unlink path)
        (fun () ->
          give_to_user pid path;
          listen socket pid ~until))

let ask pid =
  let path = path pid in
  try ask_at path pid
  with Unix.Unix_error (error, _, _) -> No_way (path ^ ": " ^ Unix.error_message error)
