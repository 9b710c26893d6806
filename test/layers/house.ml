(* The folders of the house, from the ground up. A layer may use itself and every earlier line;
   layers on one line may not use each other. *)

let floors =
  [
    [ "lockfree" ];
    [ "engine" ];
    [ "src/loop"; "src/sync" ];
    [ "src" ];
    [ "batched"; "domainslib"; "eio"; "lwt"; "mpi" ];
    [ "cli"; "examples" ];
    [ "bench" ];
    [ "test"; "doc" ];
  ]

let layers = List.concat floors
let floor layer = List.find_index (List.mem layer) floors
let may_use user used = user = used || Option.compare Int.compare (floor used) (floor user) < 0
let in_src layer = layer = "src" || String.starts_with ~prefix:"src/" layer

(* What is published as a library, where domains and effects are the scheduler's business. *)
let is_library layer =
  in_src layer
  || List.mem layer [ "lockfree"; "engine"; "batched"; "domainslib"; "eio"; "lwt"; "mpi" ]

(* [layer_of file] is the layer that a file, named from the root, belongs to. Every folder of src is
   a layer; elsewhere a layer is a folder with all below it. *)
let layer_of file =
  let folder = Filename.dirname file in
  let holds layer =
    folder = layer || ((not (in_src layer)) && String.starts_with ~prefix:(layer ^ "/") folder)
  in
  List.find_opt holds layers
