type t = { name : string; call : 'a. (unit -> 'a) -> 'a }

(* The caller awaits a promise, where [Thread.join] would hold the worker: several such places, one
   inside the other, would need as many workers. *)
let in_another start f =
  let promise, resolver = Drover.Promise.create () in
  let run () =
    (* A domain records no backtraces by itself. *)
    Printexc.record_backtrace true;
    match f () with
    | v -> Drover.Promise.fulfil resolver v
    | exception e -> Drover.Promise.fail resolver ~backtrace:(Printexc.get_raw_backtrace ()) e
  in
  let join = start run in
  Fun.protect (fun () -> Drover.await promise) ~finally:join

let in_domain f =
  let spawn run =
    let domain = Domain.spawn run in
    fun () -> Domain.join domain
  in
  in_another spawn f

let in_thread f =
  let create run =
    let thread = Thread.create run () in
    fun () -> Thread.join thread
  in
  in_another create f

let task domains =
  { name = Printf.sprintf "task of %d" domains; call = (fun f -> Drover.run ~domains f) }

let main = { name = "main"; call = (fun f -> f ()) }
let thread = { name = "systhread"; call = in_thread }
let domain = { name = "domain"; call = in_domain }

let default_task =
  { name = "default task"; call = (fun f -> Drover.Pool.run (Drover.Pool.default ()) f) }

let async = { name = "async"; call = (fun f -> Drover.await (Drover.async f)) }
let fork = { name = "fork"; call = (fun f -> snd (Drover.both ignore f)) }

let inside outer inner =
  { name = inner.name ^ " in " ^ outer.name; call = (fun f -> outer.call (fun () -> inner.call f)) }

let all =
  [
    main;
    thread;
    domain;
    default_task;
    async;
    fork;
    task 1;
    task 2;
    task 4;
    inside (task 1) thread;
    inside (task 2) thread;
    inside (task 2) domain;
    inside domain thread;
    inside (task 2) (task 2);
    inside (task 2) default_task;
    inside default_task (task 1);
  ]

let few = [ thread; domain; default_task; task 1; task 2 ]

(* In a pool of one domain nobody shares the work, which is a way of its own. *)
let case name f =
  let places = [ main; task 1; task 2; task 4 ] in
  Watchdog.case name (fun () -> List.iter (fun place -> place.call f) places)
