(* datalog [--domains N] FILE: prints the relations that a program says are its output. *)

open Datalog

let usage = "datalog [--domains N] FILE"

let print (name, tuples) =
  Array.iter (fun tuple -> print_endline (Syntax.show name tuple)) tuples

(* It is printed when nothing runs any more, by the main thread: there a reader that goes away, such
   as head, ends the program without a word. *)
let evaluate ?domains file =
  let program = Source.load file in
  let output engine (_, name) = (name, Engine.tuples engine name) in
  let outputs =
    Drover.run ?domains (fun () ->
        List.map (output (Engine.run program)) program.outputs)
  in
  Sys.set_signal Sys.sigpipe Signal_default;
  List.iter print outputs

let () =
  let domains = ref None and files = ref [] in
  let set_domains n =
    if n < 1 then raise (Arg.Bad "--domains: at least 1")
    else domains := Some n
  in
  let options =
    [ ("--domains", Arg.Int set_domains, "N domains to use") ]
  in
  Arg.parse options (fun file -> files := file :: !files) usage;
  match !files with
  | [ file ] -> (
      try evaluate ?domains:!domains file
      with Syntax.Error (place, why) ->
        Printf.eprintf "%s:%d: %s\n" place.file place.line why;
        exit 1)
  | _ ->
      Printf.eprintf "usage: %s\n" usage;
      exit 2
