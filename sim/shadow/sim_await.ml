(* Domain-local await *)

open Drover_machine
open World

type t = { release : unit -> unit; await : unit -> unit }

let key = Sim_domain.DLS.new_key (fun () -> ref None)

let by_default () =
  let is_over = ref false and waiting = ref None in
  let release () =
    is_over := true;
    Option.iter Scheduler.wake !waiting
  and await () =
    while not !is_over do
      waiting := Some (me ());
      ignore (Threads.park ~until:never : bool)
    done
  in
  { release; await }

let prepare_for_await () =
  match !(Sim_domain.DLS.get key) with None -> by_default () | Some prepare -> prepare ()

let using ~prepare_for_await ~while_running =
  let here = Sim_domain.DLS.get key in
  let before = !here in
  here := Some prepare_for_await;
  Fun.protect ~finally:(fun () -> here := before) while_running
