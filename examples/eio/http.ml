type request = { path : string; keep_alive : bool }

exception Bad of string

(* Up to the empty line; the names of fields in lower case. *)
let rec fields ?(most = 100) input =
  if most = 0 then raise (Bad "too many fields");
  match Eio.Buf_read.line input with
  | "" -> []
  | line -> (
      match String.index_opt line ':' with
      | None -> raise (Bad "a field without a colon")
      | Some i ->
          let name = String.lowercase_ascii (String.sub line 0 i)
          and value =
            String.trim
              (String.sub line (i + 1) (String.length line - i - 1))
          in
          (name, value) :: fields ~most:(most - 1) input)

let is name value fields =
  match List.assoc_opt name fields with
  | Some found -> String.lowercase_ascii found = value
  | None -> false

let read input =
  if Eio.Buf_read.at_end_of_input input then None
  else
    match String.split_on_char ' ' (Eio.Buf_read.line input) with
    | [ "GET"; path; "HTTP/1.1" ] ->
        Some
          {
            path;
            keep_alive = not (is "connection" "close" (fields input));
          }
    | [ "GET"; path; "HTTP/1.0" ] ->
        Some
          { path; keep_alive = is "connection" "keep-alive" (fields input) }
    | _ -> raise (Bad "only GET")

let reason = function
  | 200 -> "OK"
  | 400 -> "Bad Request"
  | 404 -> "Not Found"
  | 503 -> "Service Unavailable"
  | 504 -> "Gateway Timeout"
  | _ -> "Error"

let respond output ?(status = 200) ~keep_alive body =
  Eio.Flow.copy_string
    (Printf.sprintf
       "HTTP/1.1 %d %s\r\n\
        Content-Type: text/plain\r\n\
        Content-Length: %d\r\n\
        Connection: %s\r\n\
        \r\n\
        %s"
       status (reason status) (String.length body)
       (if keep_alive then "keep-alive" else "close")
       body)
    output

let ask input output path =
  Eio.Flow.copy_string
    (Printf.sprintf "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" path)
    output;
  let status =
    Scanf.sscanf (Eio.Buf_read.line input) "HTTP/1.1 %d" Fun.id
  in
  let length = List.assoc "content-length" (fields input) in
  (status, Eio.Buf_read.take (int_of_string length) input)
