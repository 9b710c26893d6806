(* Until_signal.

   While there are such scopes for a signal, its handler is [cancel_all]; the first installs
   it, and the last brings back what was there before. The handler takes no lock, as it may
   interrupt the thread that holds it. *)

exception Signalled of int

type entry = {
  signal : int;
  scopes : Scope.t list;
  mutable before : Sys.signal_behavior option; (* once the handler is installed *)
}

let mutex = Stdlib.Mutex.create ()
let entries : entry list Atomic.t = Atomic.make []
let entry signal = List.find_opt (fun e -> e.signal = signal) (Atomic.get entries)
let others signal = List.filter (fun e -> e.signal <> signal) (Atomic.get entries)

(* The entries change under the mutex only, and no signal is handled meanwhile: a handler might come
   to the mutex that its thread holds. And OCaml handles others within [Sys.signal], once it has
   installed the handler: what raises there would take away what was there before. *)
let change f = Signals.with_all_blocked (fun () -> Stdlib.Mutex.protect mutex f)

let add scope signal =
  (* The outermost is the oldest, and comes last. *)
  let cancel_all signal =
    let cancel s = Scope.cancel s (Signalled signal) in
    Option.iter (fun e -> List.iter cancel e.scopes) (entry signal)
  in
  change (fun () ->
      let e =
        match entry signal with
        | Some e -> { e with scopes = scope :: e.scopes }
        | None -> { signal; scopes = [ scope ]; before = None }
      in
      Atomic.set entries (e :: others signal);
      if Option.is_none e.before then
        e.before <- Some (Sys.signal signal (Signal_handle cancel_all)))

(* Does nothing more if it is called again. *)
let remove scope signal =
  change (fun () ->
      match entry signal with
      | None -> ()
      | Some e -> (
          match List.filter (( != ) scope) e.scopes with
          | [] ->
              Option.iter (Sys.set_signal signal) e.before;
              Atomic.set entries (others signal)
          | scopes -> Atomic.set entries ({ e with scopes } :: others signal)))

let run_until_signal ?(signals = [ Sys.sigint; Sys.sigterm ]) f =
  let scope = ref None in
  let finish () = Option.iter (fun s -> List.iter (remove s) signals) !scope in
  Section.reserve_stack ();
  Section.finally (Shared.insist finish) (fun () ->
      Scope.run (fun s ->
          scope := Some s;
          Section.run (List.iter (add s)) signals;
          f s))
