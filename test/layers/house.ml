(* The folders of the house, from the ground up. A layer may use itself and every earlier line;
   layers on one line may not use each other. The rooms of the engine are layers, too. *)

let floors =
  [
    [ "src/lockfree" ];
    [ "src/engine/base" ];
    [ "src/engine/outside" ];
    [ "src/engine/jobs" ];
    [ "src/engine/workers" ];
    [ "src/engine/policy" ];
    [ "src/engine/sharing" ];
    [ "src/engine/tasks" ];
    [ "src/engine/scheduling" ];
    [ "src/engine/promises" ];
    [ "src/engine/pools" ];
    [ "src/engine/scopes"; "src/engine/regions"; "src/engine/batches" ];
    [ "src/engine" ];
    [ "src/seen"; "src/drover/loops"; "src/drover/sync"; "src/drover/once" ];
    [ "src/drover/arrays" ];
    [ "src/drover/keys"; "src/drover/graphs"; "src/drover/text" ];
    [ "src/drover/sequences" ];
    [ "src/drover" ];
    [ "src/bridge" ];
    [
      "src/batched";
      "src/domainslib";
      "src/parmap";
      "src/parany";
      "src/eio";
      "src/lwt";
      "src/mpi";
      "src/ppx";
      "src/race";
    ];
    [ "sim" ];
    [ "src/cli"; "examples" ];
    [ "bench" ];
    [ "test"; "doc" ];
  ]

let layers = List.concat floors
let floor layer = List.find_index (List.mem layer) floors
let may_use user used = user = used || Option.compare Int.compare (floor used) (floor user) < 0
let is_below top layer = layer = top || String.starts_with ~prefix:(top ^ "/") layer

(* The libraries that are made of several layers: each module of such a library is known to all others
   by its name. *)
let library_of layer = List.find_opt (fun top -> is_below top layer) [ "src/engine"; "src/drover" ]

(* What is published as a library, where domains and effects are the scheduler's business. [race] has a module [Domain],
   whose [spawn] refuses. *)
let is_library layer =
  library_of layer <> None
  || List.mem layer
       [
         "src/lockfree";
         "src/seen";
         "src/bridge";
         "src/batched";
         "src/domainslib";
         "src/parmap";
         "src/parany";
         "src/eio";
         "src/lwt";
         "src/mpi";
       ]

(* [layer_of file] is the layer that a file, named from the root, belongs to. Every folder of such a
   library is a layer; elsewhere a layer is a folder with all below it. *)
let layer_of file =
  let folder = Filename.dirname file in
  let holds layer = folder = layer || (library_of layer = None && is_below layer folder) in
  List.find_opt holds layers
