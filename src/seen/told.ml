(* Told: what those who listen to a program's runtime events hear beside what the engine tells.

   With OCAML_RUNTIME_EVENTS_START: how long loops took (see [Cheap_loops]), and for what a task waits, just before it
   does. With DROVER_SITES=1, too: where it waits, and where what a worker begins was started. To find a site takes
   longer than to start a task, so one asks for it.

   The reports of [Watch] have these hooks for themselves. *)

let is_set variable = Option.is_some (Sys.getenv_opt variable)
let listens = is_set "OCAML_RUNTIME_EVENTS_START" && not Debug.is_on
let tells_sites = listens && Sys.getenv_opt "DROVER_SITES" = Some "1"

(* An event has room for a hundred characters, and the line comes last. *)
let short site =
  let most = 60 and n = String.length site in
  if n <= most then site else "..." ^ String.sub site (n - most) most

(* Sites: a local value of what runs, [unknown] in what was started by a call in tail position. *)

let unknown = ""
let site : string option Context.Locals.key = Context.Locals.key None

let with_site locals =
  let found = Option.fold (Call_site.find ()) ~none:unknown ~some:short in
  Context.Locals.add site (Some found) locals

let begins ~is_fork locals =
  let tell text =
    let text = if is_fork && text <> unknown then "a fork in " ^ text else text in
    Events.tell (Events.site text) ()
  in
  Option.iter tell (Context.Locals.get site locals)

(* Waits *)

(* A task that has called what waits in tail position is where it was started. *)
let here () =
  match Call_site.find () with
  | Some site -> short site
  | None -> Option.value (Context.Locals.get site (Task.context ()).locals) ~default:unknown

let tell_wait aim wanted =
  let what = match wanted with None -> aim | Some (hold : Hold.t) -> "locks " ^ hold.name in
  let here = if tells_sites then here () else unknown in
  Events.tell (Events.wait (if here = unknown then what else what ^ " in " ^ here)) ()

let wait aim wanted suspend x =
  tell_wait aim wanted;
  suspend x

let loop ~combines n within f run =
  let run f = if tells_sites then Extent.within Task.started_here (fun () -> run f) else run f in
  Cheap_loops.around ~combines n within f run

let () =
  if listens then
    Hooks.installed := { !Hooks.installed with loop = Some { around = loop }; wait = Some { wait } };
  if tells_sites then
    Hooks.installed := { !Hooks.installed with start = Some with_site; begins = Some { begins } }
