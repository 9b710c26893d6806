(* Debug: the list of waits is an immutable map, which grows and shrinks by compare-and-set; [Watch]
   looks at it. *)

let say text = Printf.eprintf "Drover: %s\n%!" text
let asked = Option.value (Sys.getenv_opt "DROVER_DEBUG") ~default:""
let ends_deadlocks = asked = "exit"
let is_on = ends_deadlocks || List.mem asked [ "1"; "true" ]
let is_silent = List.mem asked [ "0"; "false" ]

let () =
  if not (is_on || is_silent || asked = "") then
    say (Printf.sprintf "the variable DROVER_DEBUG is %S, neither 1 nor 0 nor exit" asked)

let told = Atomic.make []

(* Once for each place. *)
let say_once place text =
  let before =
    Shared.update told (fun told -> if List.mem place told then told else place :: told)
  in
  if not (List.mem place before) then say text

(* Sites *)

let here () = Printexc.get_callstack 64

(* The innermost frames, or those of them that are the program's own. *)
let lines ~only_own site =
  let line slot =
    let name = Option.value (Printexc.Slot.name slot) ~default:"" in
    match Printexc.Slot.location slot with
    | Some { filename; line_number; _ } when not (only_own && Call_site.is_own name) ->
        Some (Printf.sprintf "\n    %s (%s:%d)" name filename line_number)
    | Some _ | None -> None
  in
  let slots = Option.value (Printexc.backtrace_slots site) ~default:[||] in
  String.concat "" (List.take 8 (List.filter_map line (Array.to_list slots)))

(* Where the innermost task or loop was started that the caller is in: a local value of what runs. *)
let start : Printexc.raw_backtrace option Context.Locals.key = Context.Locals.key None
let with_start locals = Context.Locals.add start (Some (here ())) locals

let started_at locals =
  match Context.Locals.get start locals with Some site -> lines ~only_own:true site | _ -> ""

(* Calls in tail position leave no frame. Then only what was started is known; or, in a thread, what
   the library does. *)
let describe_site site ~locals =
  match (lines ~only_own:true site, started_at locals) with
  | "", "" -> " at" ^ lines ~only_own:false site
  | "", started -> " in what was started at" ^ started
  | own, _ -> " at" ^ own

let describe_here () = describe_site (here ()) ~locals:Context.Locals.empty
let describe_task (w : Worker.t) = describe_site (here ()) ~locals:w.context.locals

(* Waits *)

(* [task] is the pool and the number of a task that holds mutexes; a thread outside has none. *)
type wait = {
  since : float;
  task : (string * int) option;
  holds : string list;
  aim : string;
  wanted : Hold.t option;
  site : Printexc.raw_backtrace;
  locals : Context.Locals.t;
}

module By_id = Map.Make (Int)

type moment = wait By_id.t

let waits : moment Atomic.t = Atomic.make By_id.empty
let now () = Atomic.get waits
let ids = Atomic.make 0
let is_awaited () = By_id.exists (fun _ wait -> Option.is_none wait.task) (now ())

let describe { task; holds; aim; wanted; site; locals; _ } =
  let waiter =
    match (task, holds) with
    | None, _ -> "a thread outside"
    | Some (pool, _), [] -> "a task of " ^ pool
    | Some (pool, number), names ->
        Printf.sprintf "task %d of %s, with %s," number pool (String.concat ", " names)
  and wish =
    match wanted with
    | None -> ""
    | Some { name; holder; _ } when holder <= 0 ->
        Printf.sprintf " %s, which a thread outside holds," name
    | Some { name; holder; _ } -> Printf.sprintf " %s, which task %d holds," name holder
  in
  String.concat "" [ waiter; " "; aim; wish; describe_site site ~locals ]

let duration seconds = Printf.sprintf (if seconds < 9.95 then "%.1f s" else "%.0f s") seconds

(* What [describe] makes its text of. *)
let features { task; holds; aim; wanted; site; locals; _ } =
  let wanted = Option.map (fun (h : Hold.t) -> (h.name, h.holder)) wanted in
  (task, holds, aim, wanted, site, Context.Locals.get start locals)

(* Equal ones, and for how long they have waited. *)
type group = { text : string; count : int; shortest : float; longest : float }

(* A million tasks may wait at one site, whose lines in the source it takes long to find. Oldest first. *)
let groups () =
  let now = System.now () and described = Hashtbl.create 16 and groups = Hashtbl.create 16 in
  let describe_once wait =
    let features = features wait in
    match Hashtbl.find_opt described features with
    | Some text -> text
    | None ->
        let text = describe wait in
        Hashtbl.add described features text;
        text
  in
  let count _ wait texts =
    let text = describe_once wait and time = now -. wait.since in
    match Hashtbl.find_opt groups text with
    | Some g ->
        let shortest = Float.min g.shortest time and longest = Float.max g.longest time in
        Hashtbl.replace groups text { g with count = g.count + 1; shortest; longest };
        texts
    | None ->
        Hashtbl.add groups text { text; count = 1; shortest = time; longest = time };
        text :: texts
  in
  List.rev_map (Hashtbl.find groups) (By_id.fold count (Atomic.get waits) [])

let list_waits () =
  let line { text; count; shortest; longest } =
    let least = duration shortest and most = duration longest in
    let times = if least = most then most else least ^ " to " ^ most in
    Printf.sprintf "\n  for %s: %dx %s" times count text
  in
  String.concat "" (List.map line (groups ()))

(* Whichever task it is. *)
let tell_of_holding { holds; site; locals; _ } =
  let text =
    Printf.sprintf "a task suspends while it holds %s,%s" (String.concat ", " holds)
      (describe_site site ~locals)
  in
  say_once text text

let wait aim wanted suspend x =
  let task, holds, locals =
    match Worker.mine () with
    | Some { team; context = { token; locals; _ }; _ } ->
        let number, holds = Token.held token in
        (Some (team.name, number), holds, locals)
    | None -> (None, [], Context.Locals.empty)
  in
  let wait = { since = System.now (); task; holds; aim; wanted; site = here (); locals } in
  if holds <> [] then tell_of_holding wait;
  let id = Atomic.fetch_and_add ids 1 in
  Shared.change waits (By_id.add id wait);
  Fun.protect (fun () -> suspend x) ~finally:(fun () -> Shared.change waits (By_id.remove id))

(* Delays *)

let say_of_delay (w : Worker.t) where =
  say_once where
    (Printf.sprintf "a task has kept worker %d of %s from other work for over a second,%s" w.id
       w.team.name where)

let in_what_was_started (w : Worker.t) =
  match started_at w.context.locals with
  | "" -> ""
  | started -> ", in what was started at" ^ started

let tell_of_delay (w : Worker.t) =
  let token = w.context.token and where = describe_task w in
  if Token.is_interrupted token then
    say_once ("cancelled" ^ where)
      (Printf.sprintf
         "a task on worker %d of %s was cancelled a second ago (%s), and does not look: have its \
          loops call Scope.check, or run it in Scope.interruptible. It is%s"
         w.id w.team.name
         (Printexc.to_string (Token.reason token))
         where)
  else say_of_delay w where

let tell_of_silence w = say_of_delay w (" in a system call or in C" ^ in_what_was_started w)

let tell_of_resistance (w : Worker.t) =
  say
    (Printf.sprintf
       "a task on worker %d of %s was cancelled a second ago, and cannot be interrupted: it is in \
        a system call or in C, swallows the exception, or has no safepoint%s"
       w.id w.team.name (in_what_was_started w))

let teller_of_call (w : Worker.t) =
  let pool = w.team.name and locals = w.context.locals and site = here () in
  fun () ->
    say
      (Printf.sprintf
         "a task of %s was cancelled a second ago, and cannot be stopped: it is in a call of \
          blocking%s"
         pool (describe_site site ~locals))
