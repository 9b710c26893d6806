(* Machine: those that a program can be simulated on, by name. *)

open Drover_machine

type t = { name : string; most : int; (* processors *) model : workers:int -> Model.t }

let all =
  [
    { name = "laptop"; most = 8; model = (fun ~workers:_ -> Model.laptop) };
    { name = "server"; most = 64; model = (fun ~workers -> Model.server workers) };
    { name = "two_sockets"; most = 128; model = (fun ~workers:_ -> Model.two_sockets) };
    { name = "virtual"; most = 64; model = (fun ~workers -> Model.virtual_ workers) };
  ]

(* Powers of two *)
let usual_workers machine = List.filter (fun n -> n <= machine.most) [ 2; 4; 8; 16; 32; 64; 128 ]

let check machine ~workers =
  let fits n = 1 <= n && n <= machine.most in
  match List.find_opt (Fun.negate fits) workers with
  | None -> Ok ()
  | Some n ->
      Error
        (Printf.sprintf "the machine %s has from 1 to %d processors: it cannot have %d workers"
           machine.name machine.most n)
