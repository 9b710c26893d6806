(* Link: one end of a socket between two ranks. Nothing here waits.

   A message is a header, of its source, destination, tag and length, and that many bytes. What the
   socket does not take at once stays in [out], until [flush] is called again. Several threads may
   send; one at a time may [receive]. *)

type frame = { bytes : Bytes.t; sent : unit Drover.Promise.resolver option }

type t = {
  socket : Unix.file_descr;
  lock : Mutex.t; (* of what follows, up to [is_open] *)
  out : frame Queue.t;
  mutable written : int; (* of the first frame *)
  mutable is_open : bool;
  header : Bytes.t;
  mutable body : Bytes.t option; (* once its header is there *)
  mutable filled : int; (* of the header, or of the body *)
}

let header_size = 24

let create socket =
  Unix.set_nonblock socket;
  {
    socket;
    lock = Mutex.create ();
    out = Queue.create ();
    written = 0;
    is_open = true;
    header = Bytes.create header_size;
    body = None;
    filled = 0;
  }

let settle frame = Option.iter (fun sent -> Drover.Promise.fulfil sent ()) frame.sent

(* What is left in [out] is lost. *)
let shut t =
  t.is_open <- false;
  Queue.iter settle t.out;
  Queue.clear t.out

let rec write_out t =
  match Queue.peek_opt t.out with
  | Some frame when t.is_open -> (
      let left = Bytes.length frame.bytes - t.written in
      match Unix.single_write t.socket frame.bytes t.written left with
      | n ->
          t.written <- t.written + n;
          if n = left then begin
            t.written <- 0;
            settle (Queue.pop t.out)
          end;
          write_out t
      | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> ()
      | exception Unix.Unix_error (EINTR, _, _) -> write_out t
      | exception Unix.Unix_error _ -> shut t)
  | Some _ | None -> ()

let flush t = Mutex.protect t.lock (fun () -> write_out t)
let has_out t = Mutex.protect t.lock (fun () -> not (Queue.is_empty t.out))

let header ~source ~dest ~tag length =
  let header = Bytes.create header_size in
  Bytes.set_int32_le header 0 (Int32.of_int source);
  Bytes.set_int32_le header 4 (Int32.of_int dest);
  Bytes.set_int64_le header 8 (Int64.of_int tag);
  Bytes.set_int64_le header 16 (Int64.of_int length);
  header

(* A small message is one system call. *)
let small = 65536 - header_size

let frames ~source ~dest ~tag bytes sent =
  let length = Bytes.length bytes in
  let header = header ~source ~dest ~tag length in
  if length <= small then [ { bytes = Bytes.cat header bytes; sent } ]
  else [ { bytes = header; sent = None }; { bytes; sent } ]

(* Settles [sent] when the bytes have left. *)
let send t ~source ~dest ~tag bytes sent =
  let frames = frames ~source ~dest ~tag bytes sent in
  Mutex.protect t.lock (fun () ->
      if t.is_open then begin
        List.iter (fun frame -> Queue.push frame t.out) frames;
        write_out t
      end
      else List.iter settle frames)

type message = { source : int; dest : int; tag : int; bytes : Bytes.t }

let begin_body t =
  t.body <- Some (Bytes.create (Int64.to_int (Bytes.get_int64_le t.header 16)));
  t.filled <- 0

let end_body t bytes =
  t.body <- None;
  t.filled <- 0;
  {
    source = Int32.to_int (Bytes.get_int32_le t.header 0);
    dest = Int32.to_int (Bytes.get_int32_le t.header 4);
    tag = Int64.to_int (Bytes.get_int64_le t.header 8);
    bytes;
  }

(* Calls [f] on each message that is there. [false] if the other end is closed. *)
let rec receive t f =
  let into = Option.value t.body ~default:t.header in
  if t.filled = Bytes.length into then begin
    (match t.body with None -> begin_body t | Some bytes -> f (end_body t bytes));
    receive t f
  end
  else
    match Unix.read t.socket into t.filled (Bytes.length into - t.filled) with
    | 0 -> false
    | n ->
        t.filled <- t.filled + n;
        receive t f
    | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> true
    | exception Unix.Unix_error (EINTR, _, _) -> receive t f
    | exception Unix.Unix_error _ -> false

let shut_out t = Mutex.protect t.lock (fun () -> shut t)

let close t =
  shut_out t;
  Unix.close t.socket
