(* Waiting for a descriptor, with a time limit. *)

let read_within seconds descriptor =
  let bytes = Bytes.create 100 in
  match
    Drover.Scope.with_timeout seconds (fun () ->
        Drover.wait_readable descriptor)
  with
  | () -> Some (Bytes.sub_string bytes 0 (Unix.read descriptor bytes 0 100))
  | exception Drover.Scope.Timeout -> None

let () =
  let input, output = Unix.pipe () in
  let show = function
    | Some text -> print_endline text
    | None -> print_endline "nothing came"
  in
  show (read_within 0.01 input);
  ignore (Unix.write_substring output "a message" 0 9);
  show (read_within 60. input)
