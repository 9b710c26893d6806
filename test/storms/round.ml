(* A round: one program, under faults of one kind; and what was found afterwards. *)

type t = { kind : (module Fault.KIND); domains : int; seed : int; path : int list }
(* [path] leads from the program of the seed to a smaller one. *)

let program { kind = (module Kind); seed; path; _ } =
  List.fold_left
    (fun program i -> List.nth (Program.smaller program) i)
    (Program.random Kind.parts (Random.State.make [| seed |]))
    path

(* What a callback does that calls the library: nothing that waits. *)
let call_library (w : World.t) scope () =
  let lock = w.locks.(0).guard and permits = w.permits.(0).guard in
  match Fault.random 8 with
  | 0 -> ignore (Drover.async ignore : unit Drover.Promise.t)
  | 1 -> if Drover.Mutex.try_lock lock then Drover.Mutex.unlock lock
  | 2 -> if Drover.Semaphore.try_acquire permits then Drover.Semaphore.release permits
  | 3 -> World.noted w.sends (fun e -> if not (Drover.Chan.try_send w.chans.(2) e) then raise Exit)
  | 4 -> Drover.Scope.cancel scope Exit
  | 5 -> Drover.Scope.spawn scope ignore
  | 6 -> Drover.Condition.signal w.changed
  | _ ->
      let p, r = Drover.Promise.create () in
      ignore (Drover.async (fun () -> Drover.await p) : unit Drover.Promise.t);
      Drover.Promise.fulfil r ()

(* Threads of the main domain that use what the program uses, and are switched to. *)
let companion (w : World.t) () =
  let act i =
    match i mod 6 with
    | 0 -> World.lock w 0 ignore
    | 1 -> ignore (Drover.both ignore ignore : unit * unit)
    | 2 -> Drover.await (Drover.async ignore)
    | 3 -> World.submit w
    | 4 -> World.send w 2
    | _ -> World.permit w 0 ignore
  in
  let rec go i =
    if Atomic.get Fault.armed then begin
      (try act i with _ -> ());
      Thread.yield ();
      go (i + 1)
    end
  in
  go 0

let ended_scope () =
  let scope = ref None in
  Drover.Scope.run (fun s -> scope := Some s);
  Option.get !scope

(* Of all rounds of the process. *)
let tasks = ref 0

let run ({ kind = (module Kind); domains; seed; _ } as t) ~guard =
  let random = Random.State.make [| seed; 1 |] in
  let program = program t in
  let w = World.create () in
  World.handle_signal ();
  Atomic.set Fault.called (call_library w (ended_scope ()));
  let env = { Meaning.world = w; value = 0; wrap = Kind.wrap; is_known = Kind.is_known } in
  let companions = ref [] in
  guard "the program" (fun () ->
      let body () = Kind.around (fun () -> Meaning.eval env program) in
      let go () = Drover.run ~domains body in
      let go () =
        companions := List.init Kind.companions (fun _ -> Thread.create (companion w) ());
        go ()
      in
      match Fault.under (module Kind) random go with
      | Ok () -> ()
      | Error (Drover.Cancelled _ as e) -> World.complain w ("run: " ^ Printexc.to_string e)
      | Error e ->
          if not (Meaning.is_known env e) then World.complain w ("run: " ^ Printexc.to_string e));
  guard "the companions" (fun () -> List.iter Thread.join !companions);
  Oracle.check w ~guard;
  tasks := !tasks + Atomic.get w.started;
  List.sort_uniq String.compare (Atomic.get w.complaints)
