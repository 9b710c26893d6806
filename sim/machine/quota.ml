(* Quota: the processor time that a container has in each period. When it is used up none of its threads runs until the
   next period begins: the system throttles it.

   The system hands the quota out to processors in pieces, and so do we look at it: every millisecond. *)

open World

let piece = 1_000_000

(* For how long the program's threads ran so far *)
let used ~at =
  let of_thread sum t =
    if Scheduler.is_neighbours t then sum
    else
      match t.status with
      | Runs | Spins -> sum + t.ran + Int.max 0 (at - t.since)
      | Queued | Blocked | Ended -> sum + t.ran
  in
  List.fold_left of_thread 0 !w.threads

let stop (p : processor) ~at =
  match p.current with
  | Some t when not (Scheduler.is_neighbours t) ->
      Scheduler.cut t ~at;
      Scheduler.set_status t Queued;
      Queue.add t p.queue;
      Scheduler.take_next p ~at:t.time
  | Some _ | None -> ()

let go_on (p : processor) ~at = if p.current = None then Scheduler.take_next p ~at

let rec look ~quota ~period ~until ~before at =
  if at >= until then begin
    !w.is_throttled <- false;
    Array.iter (go_on ~at) !w.processors;
    set ~quota ~period ~until:(until + period) ~before:(used ~at) at
  end
  else begin
    if (not !w.is_throttled) && used ~at - before >= quota then begin
      !w.is_throttled <- true;
      Array.iter (stop ~at) !w.processors
    end;
    set ~quota ~period ~until ~before at
  end

and set ~quota ~period ~until ~before at =
  let next = if !w.is_throttled then until else Int.min until (at + piece) in
  ignore (Turns.at next (look ~quota ~period ~until ~before) : int * int)

let start () =
  Option.iter (fun (quota, period) -> set ~quota ~period ~until:period ~before:0 0) !w.model.quota
