(* Http_server: cohttp's server on the channels of Lwt_io. *)

open Example_servers

let now () = Mtime.Span.to_float_ns (Mtime_clock.elapsed ()) *. 1e-9

(* What was read and not used is [text] from [from]. *)
type connection = {
  client : Serve.client;
  mutable text : string;
  mutable from : int;
  mutable deadline : float; (* of the request that is being read *)
}

module Io = struct
  type 'a t = 'a Lwt.t

  let ( >>= ) = Lwt.bind
  let return = Lwt.return

  type ic = connection
  type oc = connection
  type conn = unit

  let available ic = String.length ic.text - ic.from

  (* The head of a request has to fit. *)
  let longest = 16_384

  let read_more ic =
    Lwt_unix.with_timeout
      (Float.max 0. (ic.deadline -. now ()))
      (fun () -> Lwt_io.read ~count:4096 ic.client.input)

  let refill ic =
    (if available ic >= longest then return "" else read_more ic)
    >>= function
    | "" -> return `Eof
    | more ->
        ic.text <- String.sub ic.text ic.from (available ic) ^ more;
        ic.from <- 0;
        return `Ok

  let with_input_buffer ic ~f =
    let result, used = f ic.text ~pos:ic.from ~len:(available ic) in
    ic.from <- ic.from + used;
    result

  let take ic n =
    let text = String.sub ic.text ic.from n in
    ic.from <- ic.from + n;
    text

  let rec read ic n =
    if available ic > 0 then return (take ic (Int.min n (available ic)))
    else refill ic >>= function `Ok -> read ic n | `Eof -> return ""

  let rec read_line ic =
    match String.index_from_opt ic.text ic.from '\n' with
    | Some at -> return (Some (String.trim (take ic (at + 1 - ic.from))))
    | None -> (
        refill ic >>= function `Ok -> read_line ic | `Eof -> return None)

  let flush oc =
    Serve.in_time oc.client (fun () -> Lwt_io.flush oc.client.output)

  (* The next request has its own time. *)
  let write oc text =
    Serve.in_time oc.client (fun () -> Lwt_io.write oc.client.output text)
    >>= fun () ->
    oc.deadline <- now () +. oc.client.patience;
    return ()

  type error = exn

  let catch f =
    Lwt.try_bind f Lwt.return_ok (function
      | (Unix.Unix_error _ | End_of_file) as exn -> Lwt.return_error exn
      | exn -> Lwt.reraise exn)

  let pp_error ppf exn = Format.pp_print_string ppf (Printexc.to_string exn)
end

module Server = Cohttp_lwt.Server.Make (Io)

(* Serves one connection. *)
let serve callback (client : Serve.client) =
  let server =
    Server.make
      ~callback:(fun _connection request _body -> callback request)
      ()
  in
  let connection =
    { client; text = ""; from = 0; deadline = now () +. client.patience }
  in
  Server.callback server () connection connection

let respond ?(status = `OK) ~kind body =
  let headers = Http.Header.of_list [ ("content-type", kind) ] in
  Server.respond_string ~headers ~status ~body ()
