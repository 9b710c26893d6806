(* A run: from time 0, on a machine, with a seed. *)

open World

type cause = Deadlock of string | Too_long of string

exception No_end of cause

let () =
  Printexc.register_printer (function
    | No_end (Deadlock text) -> Some ("all threads wait for each other:\n" ^ text)
    | No_end (Too_long text) -> Some ("no end:\n" ^ text)
    | _ -> None)

let status_to_string = function
  | Runs -> "runs"
  | Spins -> "waits for a collection"
  | Queued -> "waits for a processor"
  | Blocked -> "is blocked"
  | Ended -> "has ended"

let describe () =
  let line t =
    Printf.sprintf "%s (thread %d, domain %d) %s since %d ns, now %d" t.name t.number t.domain.index
      (status_to_string t.status) t.since t.time
  in
  String.concat "\n" (List.rev_map line (List.filter (fun t -> t.status <> Ended) !w.threads))

(* A busy process of somebody else's *)
let neighbour i =
  let rec go_on () =
    Work.busy 1_000_000_000;
    go_on ()
  in
  Threads.create ~name:(Printf.sprintf "neighbour %d" i) no_domain go_on

let with_end ~limit main =
  ignore
    (Turns.at limit (fun _ ->
         !w.failure <- Some (No_end (Too_long (describe ())), Printexc.get_callstack 0))
      : int * int);
  try Scheduler.loop main with Scheduler.Deadlock -> raise (No_end (Deadlock (describe ())))

let run ?(seed = 1) ?(neighbours = 0) ?(limit = 3_600_000_000_000) model f =
  let before = !w in
  Turns.clear ();
  incr Lines.epoch;
  w := World.create ~seed model;
  let result = ref None in
  Fun.protect
    ~finally:(fun () -> w := before)
    (fun () ->
      !w.numbers <- -neighbours;
      for i = 1 to neighbours do
        Threads.start (neighbour i)
      done;
      Quota.start ();
      let main = Threads.create_domain ~name:"main" (fun () -> result := Some (f ())) in
      with_end ~limit main;
      match !w.failure with
      | Some (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace
      | None -> Option.get !result)
