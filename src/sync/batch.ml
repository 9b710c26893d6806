(* Batch: single operations, applied together.

   Whoever finds the object at rest applies its own operation, as a batch of one. What comes
   meanwhile is queued, and its submitters wait. When a batch has ended and operations are queued, a
   task applies those, batch after batch, until none is left. *)

type 'op entry = { op : 'op; waiter : Waiter.t; mutable failure : Failure.t option }

type 'op t = {
  run : 'op array -> unit;
  applied : 'op -> bool;
  pool : Pool.t option;
  max : int;
  queue : 'op entry Batch_queue.t;
}

let create ?pool ?(max = 1024) ?(applied = fun _ -> false) run =
  if max < 1 then invalid_arg "Drover.Batch.create: max < 1";
  { run; applied; pool; max; queue = Batch_queue.create () }

let has_result t op = try t.applied op with _ -> false

(* A failure of which no operation can be told is reported, as that of a task. *)
let fail t entries failure =
  let tell entry = if not (has_result t entry.op) then entry.failure <- Some failure in
  List.iter tell entries;
  if List.for_all (fun entry -> Option.is_none entry.failure) entries then Failure.report failure

let apply t entries =
  let ops = Array.of_list (List.map (fun entry -> entry.op) entries) in
  Events.tell Events.batch (Array.length ops);
  Result.iter_error (fail t entries) (Failure.catch (fun () -> t.run ops));
  List.iter (fun entry -> ignore (Waiter.wake entry.waiter : bool)) entries

(* Whoever left entries behind sees to it that this runs. *)
let rec serve t =
  if Batch_queue.enter t.queue then begin
    apply t (Batch_queue.take t.queue ~max:t.max);
    if Batch_queue.leave t.queue then serve t
  end

(* In a task of its own; a pool that is closed or has no domain leaves that to the caller. *)
let launch t =
  let pool = match t.pool with Some pool -> pool | None -> Pool.ambient () in
  if not (Pool.is_inside pool || Caller.serve pool) then serve t
  else
    match Task.create pool (Context.independent Context.none) (fun () -> serve t) with
    | Some job -> Team.add pool job
    | None -> serve t

let leave t = if Batch_queue.leave t.queue then launch t

(* The caller has entered. *)
let apply_alone t op =
  Events.tell Events.batch 1;
  match t.run [| op |] with
  | () -> leave t
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      leave t;
      let failure = { Failure.exn; backtrace; seen = false } in
      if has_result t op then Failure.report failure else Failure.raise failure

let submit_slowly t op =
  let queued = ref None in
  Waiter.wait (fun waiter ->
      let entry = { op; waiter; failure = None } in
      (* Before it is queued: then the task may go on at once. *)
      queued := Some entry;
      if Batch_queue.enter_or_add t.queue entry then begin
        queued := None;
        ignore (Waiter.wake waiter : bool)
      end);
  match !queued with
  | Some entry -> Option.iter Failure.raise entry.failure
  | None -> apply_alone t op

let submit t op =
  if Batch_queue.enter_if_empty t.queue then apply_alone t op else submit_slowly t op
