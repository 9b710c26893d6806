(* Situation: what workers do can be read in their fields. Where their tasks are, only they can say: they are asked to,
   at the next minor collection (see [Ticker]).

   1. The caller says which workers it asks, and marks them late.
   2. Each answers at a collection, on its own thread, once.
   3. The caller prints what has come within [patience].

   The first collection is the caller's. On a worker's domain the finaliser that answers may run on the caller's
   thread, where it cannot; so those that follow are the interrupter's, from a domain of its own. A program with one
   domain gets none: [Unix.fork] would refuse from then on. *)

(* Those that are open. Not by weak pointers: with some in a domain that has ended, OCaml 5.4 does not end
   where it is to free its memory (OCAMLRUNPARAM=c). *)
let pools : Worker.team list Atomic.t = Atomic.make []
let runs_task (w : Worker.t) = w.context != Context.none
let name (w : Worker.t) = Printf.sprintf "worker %d of %s" w.id w.team.name

(* What workers do *)

let describe_worker ~in_full silence (w : Worker.t) =
  let doing =
    if runs_task w then
      match silence w with
      | 0. -> "runs a task"
      | seconds ->
          Printf.sprintf "runs a task, for at least %s without a fork, a loop or a wait"
            (Debug.duration seconds)
    else if w.announced then "sleeps"
    else if w.searches then "searches"
    else if Atomic.get w.is_taken then "is between two tasks"
    else "is no thread's"
  in
  Printf.sprintf "\n  worker %d %s" w.id doing
  ^
  if in_full then
    Printf.sprintf "; tasks it has started: %d, that ended on it: %d" w.started w.ended
  else ""

let describe_pool ~in_full silence (team : Worker.team) =
  let work = if Team.has_work team then "there is work" else "there is no work" in
  let workers = List.map (describe_worker ~in_full silence) (Array.to_list team.members) in
  Printf.sprintf "%s, tasks from outside: %d, %s:%s" team.name (Atomic.get team.submitted) work
    (String.concat "" workers)

(* Where their tasks are *)

type question = {
  asked : Worker.t list;
  in_full : bool;
  answers : (Worker.t * string) list Atomic.t;
}

let question : question option Atomic.t = Atomic.make None

let is_asked w =
  match Atomic.get question with Some { asked; _ } -> List.memq w asked | None -> false

let whereabouts ~in_full (w : Worker.t) =
  let task =
    match Token.held w.context.token with
    | _, [] -> ""
    | number, names -> Printf.sprintf ", in task %d, with %s," number (String.concat ", " names)
  in
  let where =
    if in_full then " at\n" ^ Printexc.raw_backtrace_to_string (Printexc.get_callstack 64)
    else Debug.describe_task w
  in
  name w ^ task ^ " is" ^ where

(* Whether that is what it was late for. *)
let answer w =
  match Atomic.get question with
  | Some { asked; in_full; answers } when List.memq w asked ->
      if not (List.mem_assq w (Atomic.get answers)) then
        Shared.push answers (w, whereabouts ~in_full w);
      true
  | Some _ | None -> false

let patience = 1. (* second *)

let ask ~in_full print (workers : Worker.t list) =
  let answers = Atomic.make [] and until = System.now () +. patience in
  let answer_of w = List.assq_opt w (Atomic.get answers) in
  let is_open () = System.now () < until && List.exists (fun w -> answer_of w = None) workers in
  Atomic.set question (Some { asked = workers; in_full; answers });
  List.iter (fun (w : Worker.t) -> w.late <- true) workers;
  if workers <> [] then Gc.minor ();
  if List.exists (fun (w : Worker.t) -> Array.length w.team.members > 1) workers then
    Interrupter.request (Interrupter.create is_open);
  while is_open () do
    Unix.sleepf 0.001
  done;
  (* In this order: who is late and not asked has kept its worker too long. *)
  List.iter (fun (w : Worker.t) -> w.late <- false) workers;
  Atomic.set question None;
  let tell (w : Worker.t) =
    match answer_of w with
    | Some text -> print text
    | None ->
        let among_others = Array.length w.team.members > 1 in
        print
          (name w ^ " does not say where it is: in a system call, in C, "
          ^ (if among_others then "" else "in a loop that does not allocate, ")
          ^ "or off its processor" ^ Debug.in_what_was_started w)
  in
  List.iter tell workers

(* All *)

let follow =
  let follows = Atomic.make false in
  fun () ->
    if not (Atomic.exchange follows true) then begin
      let ({ Hooks.late = or_else; _ } as before) = !Hooks.installed in
      let pool_open team =
        Shared.push pools team;
        before.pool_open team
      and pool_close team =
        Shared.change pools (List.filter (( != ) team));
        before.pool_close team
      and late w = if not (answer w) then or_else w in
      Hooks.installed := { before with pool_open; pool_close; late }
    end

let tell ?(silence = fun _ -> 0.) ~in_full print =
  let teams = List.rev (Atomic.get pools) in
  List.iter (fun team -> print (describe_pool ~in_full silence team)) teams;
  print
    (if Debug.is_on then "these wait:" ^ Debug.list_waits ()
     else "DROVER_DEBUG=1 shows what waits for what");
  let members (team : Worker.team) = Array.to_list team.members in
  ask ~in_full print (List.filter runs_task (List.concat_map members teams))
