(* Http_server: cohttp's server on the channels of Lwt_io. *)

module Io = struct
  type 'a t = 'a Lwt.t

  let ( >>= ) = Lwt.bind
  let return = Lwt.return

  (* What was read and not used is [text] from [from]. When [stopping] is resolved there is no more
     input, so that connections end after the request that they are at. *)
  type ic = {
    input : Lwt_io.input_channel;
    stopping : unit Lwt.t;
    mutable text : string;
    mutable from : int;
  }

  type oc = Lwt_io.output_channel
  type conn = unit

  let available ic = String.length ic.text - ic.from

  (* The head of a request has to fit. *)
  let longest = 16_384

  let refill ic =
    let stop = Lwt.map (fun () -> "") (Lwt.protected ic.stopping) in
    let more =
      if available ic >= longest then return ""
      else Lwt.pick [ Lwt_io.read ~count:4096 ic.input; stop ]
    in
    more >>= function
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
    | None -> ( refill ic >>= function `Ok -> read_line ic | `Eof -> return None)

  let write = Lwt_io.write
  let flush = Lwt_io.flush

  type error = exn

  let catch f =
    Lwt.try_bind f Lwt.return_ok (function
      | (Unix.Unix_error _ | End_of_file) as exn -> Lwt.return_error exn
      | exn -> Lwt.reraise exn)

  let pp_error ppf exn = Format.pp_print_string ppf (Printexc.to_string exn)
end

module Server = Cohttp_lwt.Server.Make (Io)

(* Serves one connection. *)
let connection ~stopping callback (input, output) =
  let server = Server.make ~callback:(fun _connection request _body -> callback request) () in
  Server.callback server () { Io.input; stopping; text = ""; from = 0 } output

let respond ?(status = `OK) ~kind body =
  let headers = Http.Header.of_list [ ("content-type", kind) ] in
  Server.respond_string ~headers ~status ~body ()
