(* Debug: the list of waits is an immutable map, which grows and shrinks by compare-and-set; [Watch]
   looks at it. *)

let asked = Sys.getenv_opt "DROVER_DEBUG"
let ends_deadlocks = asked = Some "exit"
let is_on = ends_deadlocks || asked = Some "1"
let say text = Printf.eprintf "drover: %s\n%!" text

(* Places *)

let most_frames = 64
let shown_frames = 8
let here () = Printexc.get_callstack most_frames
let slots place = Option.fold ~none:[] ~some:Array.to_list (Printexc.backtrace_slots place)
let name slot = Option.value (Printexc.Slot.name slot) ~default:""

let lines slots =
  let line slot =
    let at { Printexc.filename; line_number; _ } =
      Printf.sprintf "\n    %s (%s:%d)" (name slot) filename line_number
    in
    Option.map at (Printexc.Slot.location slot)
  in
  String.concat "" (List.take shown_frames (List.filter_map line slots))

(* The program's own frames, innermost first. *)
let own_lines place =
  lines (List.filter (fun slot -> not (Frames.is_own (name slot))) (slots place))

(* Where the innermost task or loop was started that the caller is in: a local value of what runs. *)
let start : Printexc.raw_backtrace option Context.Locals.key = Context.Locals.key None
let started_at locals = Option.fold ~none:"" ~some:own_lines (Context.Locals.get start locals)
let with_start locals = Context.Locals.add start (Some (here ())) locals

(* Calls in tail position leave no frame. Then only what was started is known; or, in a thread, what
   the library does. *)
let describe_place place started =
  match (own_lines place, started) with
  | "", "" -> " at" ^ lines (slots place)
  | "", started -> " in what was started at" ^ started
  | own, _ -> " at" ^ own

(* Waits *)

module By_id = Map.Make (Int)

type lock = { name : string; holder : unit -> int }

type wait = {
  pool : string option; (* of a task; a thread outside has none *)
  number : int; (* of a task that holds mutexes *)
  holds : string list;
  wants : lock option;
  place : Printexc.raw_backtrace;
  started : string;
}

type moment = wait By_id.t

let waits : moment Atomic.t = Atomic.make By_id.empty
let now () = Atomic.get waits
let ids = Atomic.make 0

(* Enters a wait into the list; the result takes it out. *)
let enter wait =
  let id = Atomic.fetch_and_add ids 1 in
  Shared.change waits (By_id.add id wait);
  fun () -> Shared.change waits (By_id.remove id)

let who wait =
  match (wait.pool, wait.holds) with
  | None, _ -> "a thread outside"
  | Some pool, [] -> "a task of " ^ pool
  | Some pool, names ->
      Printf.sprintf "task %d of %s, with %s," wait.number pool (String.concat ", " names)

let wanted { name; holder } =
  let holder =
    match holder () with 0 -> "a thread outside" | number -> Printf.sprintf "task %d" number
  in
  Printf.sprintf " for %s, which %s holds," name holder

let describe wait =
  who wait ^ " waits"
  ^ Option.fold ~none:"" ~some:wanted wait.wants
  ^ describe_place wait.place wait.started

(* A million tasks may wait at one place. *)
let list_waits () =
  let count counts wait =
    let text = describe wait in
    match List.assoc_opt text counts with
    | Some n -> (text, n + 1) :: List.remove_assoc text counts
    | None -> (text, 1) :: counts
  in
  let counts = By_id.fold (fun _ wait counts -> count counts wait) (Atomic.get waits) [] in
  let line (text, n) = Printf.sprintf "\n  %dx %s" n text in
  String.concat "" (List.rev_map line counts)

let told = Atomic.make []

(* Once for each place, whichever task it is. *)
let rec tell_of_holding wait =
  let text =
    Printf.sprintf "a task suspends while it holds %s,%s" (String.concat ", " wait.holds)
      (describe_place wait.place wait.started)
  in
  let before = Atomic.get told in
  if not (List.mem text before) then
    if Atomic.compare_and_set told before (text :: before) then say text else tell_of_holding wait

let task ~pool ~number ~holds ~wants ~locals () =
  let started = started_at locals in
  let wait = { pool = Some pool; number; holds; wants; place = here (); started } in
  if holds <> [] then tell_of_holding wait;
  enter wait

let thread ~wants () =
  enter { pool = None; number = 0; holds = []; wants; place = here (); started = "" }

let is_awaited () = By_id.exists (fun _ wait -> wait.pool = None) (Atomic.get waits)

let tell_of_delay ~pool ~worker where =
  say
    (Printf.sprintf "a task has kept worker %d of %s from other work for over a second,%s" worker
       pool where)

let tell_of_delay_here ~pool ~worker ~locals =
  tell_of_delay ~pool ~worker (describe_place (here ()) (started_at locals))

let tell_of_call ~pool ~locals place =
  say
    (Printf.sprintf
       "a task of %s was cancelled a second ago, and cannot be stopped: it is in a call of \
        blocking%s"
       pool
       (describe_place place (started_at locals)))

let tell_of_resistance ~pool ~worker ~locals =
  let started = started_at locals in
  say
    (Printf.sprintf
       "a task on worker %d of %s was cancelled a second ago, and cannot be interrupted: it is in \
        a system call or in C, swallows the exception, or has no safepoint%s"
       worker pool
       (if started = "" then "" else ", in what was started at" ^ started))

let tell_of_silence ~pool ~worker ~locals =
  let started = started_at locals in
  tell_of_delay ~pool ~worker
    (" in a system call or in C" ^ if started = "" then "" else ", in what was started at" ^ started)
