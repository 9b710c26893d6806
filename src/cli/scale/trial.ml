(* Trial: a run of the program as it is, and what its tasks took. *)

open Drover_watch
open Drover_stat

type t = {
  workers : int;
  seconds : float;
  busy : float; (* all that tasks took, and the program outside of them; see [Account.busy] *)
  collecting : float; (* the part of it in which its domain collected *)
  disturbed : bool; (* by other programs *)
  lost : int;
}

let of_account (a : Account.t) (outcome : Watch.outcome) =
  let seconds ns = float ns *. 1e-9 in
  let busy = seconds (Account.busy a) in
  {
    workers = a.pool;
    seconds = seconds (Account.span a);
    busy;
    collecting = seconds (Account.sum a (fun d -> d.paused_in_tasks));
    disturbed = Watch.lack outcome ~busy ~unserved:(seconds a.unserved) = Taken;
    lost = outcome.lost;
  }

let with_no_output f =
  let null = Unix.openfile Filename.null [ O_WRONLY; O_CLOEXEC ] 0 in
  Fun.protect ~finally:(fun () -> Unix.close null) (fun () -> f null)

(* Every pool has [workers], or one for each processor if that is 0. What the program writes on
   standard output it has written before. *)
let run program ~workers =
  let account = Account.create () in
  with_no_output (fun stdout ->
      let bindings = [ Printf.sprintf "DROVER_SCALE_WORKERS=%d" workers ] in
      Watch.run ~bindings ~stdout program ~on_lost:(Account.on_lost account)
        (Account.listen account))
  |> Fun.flip Result.bind (fun (outcome : Watch.outcome) ->
      match outcome.status with
      | WSIGNALED _ -> Error (program.Program.path ^ ":" ^ Watch.ending outcome.status)
      | WEXITED _ | WSTOPPED _ -> Ok (of_account account outcome))

(* Goes back to where standard input is now, if it is a file. *)
let rewind () =
  let go position = ignore (Unix.lseek Unix.stdin position SEEK_SET : int) in
  match Unix.lseek Unix.stdin 0 SEEK_CUR with
  | position -> fun () -> go position
  | exception Unix.Unix_error _ -> ignore
