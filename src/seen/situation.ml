(* Situation: what workers do can be read in their fields. Where their tasks are, only they can say: they are
   asked to, at the next minor collection (see [Ticker]). *)

(* Those that are open. Not by weak pointers: with some in a domain that has ended, OCaml 5.4 does not end
   where it is to free its memory (OCAMLRUNPARAM=c). *)
let pools : Worker.team list Atomic.t = Atomic.make []

let follow () =
  let before = !Hooks.installed in
  let pool_open team =
    Shared.push pools team;
    before.pool_open team
  and pool_close team =
    Shared.change pools (List.filter (( != ) team));
    before.pool_close team
  in
  Hooks.installed := { before with pool_open; pool_close }

let runs_task (w : Worker.t) = w.context != Context.none

let describe_worker (w : Worker.t) =
  let doing =
    if runs_task w then "runs a task"
    else if w.announced then "sleeps"
    else if w.searches then "searches"
    else if Atomic.get w.is_taken then "is between two tasks"
    else "is no thread's"
  in
  Printf.sprintf "\n  worker %d %s; tasks it has started: %d, that ended on it: %d" w.id doing
    w.started w.ended

let describe_pool (team : Worker.team) =
  let work = if Team.has_work team then "there is work" else "there is no work" in
  Printf.sprintf "%s, tasks from outside: %d, %s:%s" team.name (Atomic.get team.submitted) work
    (String.concat "" (List.map describe_worker (Array.to_list team.members)))

let name (w : Worker.t) = Printf.sprintf "worker %d of %s" w.id w.team.name

let tell_where print w =
  print (name w ^ " is at\n" ^ Printexc.raw_backtrace_to_string (Printexc.get_callstack 64))

(* Each says where it is on its own thread. *)
let ask print workers =
  let answers = Atomic.make [] in
  let late w =
    tell_where print w;
    Shared.push answers w
  in
  Hooks.installed := { !Hooks.installed with late };
  List.iter (fun (w : Worker.t) -> w.late <- true) workers;
  if workers <> [] then Gc.minor ();
  let until = System.now () +. 1. in
  let has_not_said w = not (List.memq w (Atomic.get answers)) in
  while List.exists has_not_said workers && System.now () < until do
    Unix.sleepf 0.001
  done;
  let tell_of_silence w = print (name w ^ " does not say where it is: in a system call or in C") in
  List.iter tell_of_silence (List.filter has_not_said workers)

let describe teams print =
  List.iter (fun team -> print (describe_pool team)) teams;
  print
    (if Debug.is_on then "these wait:" ^ Debug.list_waits ()
     else "DROVER_DEBUG=1 shows what waits for what")

let tell print =
  let teams = List.rev (Atomic.get pools) in
  describe teams print;
  let members (team : Worker.team) = Array.to_list team.members in
  ask print (List.filter runs_task (List.concat_map members teams))
