(* The files that tell what the simulated system is like. *)

open Drover_machine
open World

(* As Linux has it: nanoseconds on a processor, and in a queue for one. *)
let schedstat number =
  match List.find_opt (fun t -> t.number = number) !w.threads with
  | Some t ->
      let waited = t.account.queued in
      let ran = t.ran + match t.status with Runs | Spins -> t.time - t.since | _ -> 0 in
      Printf.sprintf "%d %d 0" ran waited
  | None -> ""

let quota () =
  match !w.model.quota with
  | Some (time, period) -> Printf.sprintf "%d %d" (time / 1000) (period / 1000)
  | None -> ""

let read path =
  match path with
  | "/proc/self/cgroup" -> "0::/"
  | "/sys/fs/cgroup/cpu.max" -> quota ()
  | _ -> (
      match Scanf.sscanf_opt path "/proc/thread/%d/schedstat" Fun.id with
      | Some number -> schedstat number
      | None -> "")
