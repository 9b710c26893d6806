(* Helper: calls functions at given times, from a domain of its own.

   A worker that computes looks at no clock, and another thread of its domain gets the processor
   only twenty times a second. So the first timer brings up a domain, which sleeps until the next
   call is due, in a blocking section, and ends when it was not needed for a while. Where there is
   no room for a domain, a thread of the caller's does the same.

   Down --at--> Up --nothing for [patience]--> Down

   While it sleeps it is woken for a call that is due before [alarm]. It sets [alarm] in the same
   step in which it sees what calls there are, so it sleeps past none. *)

module By_time = Map.Make (struct
  type t = float * int

  let compare (time, id) (time', id') =
    match Float.compare time time' with 0 -> Int.compare id id' | order -> order
end)

type timer = By_time.key

type state = {
  is_up : bool;
  alarm : float; (* when it wakes up by itself *)
  calls : (unit -> unit) By_time.t;
}

let state = Atomic.make { is_up = false; alarm = infinity; calls = By_time.empty }

(* Makes a step, and is the state before. *)
let rec update step =
  let before = Atomic.get state in
  if Atomic.compare_and_set state before (step before) then before else update step

let pipe = Atomic.make None

(* Before it sleeps for the first time. *)
let make_pipe () =
  if Option.is_none (Atomic.get pipe) then begin
    let out_of, into = Unix.pipe ~cloexec:true () in
    Unix.set_nonblock into;
    Atomic.set pipe (Some (out_of, into))
  end

(* A full pipe wakes as well. *)
let wake () =
  let write (_, into) =
    try ignore (Unix.single_write_substring into "." 0 1 : int)
    with Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> ()
  in
  Option.iter write (Atomic.get pipe)

let longest_sleep = 86400. (* seconds; more is not for every system *)

let sleep_until alarm =
  let out_of, _ = Option.get (Atomic.get pipe) in
  let seconds = Float.max 0. (Float.min longest_sleep (alarm -. Clock.now ())) in
  match Unix.select [ out_of ] [] [] seconds with
  | [], _, _ -> ()
  | _ -> ignore (Unix.read out_of (Bytes.create 64) 0 64 : int)
  | exception Unix.Unix_error (EINTR, _, _) -> ()

let patience = 1. (* seconds *)

let rec serve () =
  let s = Atomic.get state in
  match By_time.min_binding_opt s.calls with
  | None ->
      let alarm = Clock.now () +. patience in
      let waiting = { s with alarm } in
      if not (rest s waiting && Atomic.compare_and_set state waiting { waiting with is_up = false })
      then serve ()
  | Some (((time, _) as timer), call) ->
      if time > Clock.now () then ignore (rest s { s with alarm = time } : bool)
      else if Atomic.compare_and_set state s { s with calls = By_time.remove timer s.calls } then
        call ();
      serve ()

(* Sleeps, if nothing has come up since [s]. *)
and rest s waiting =
  Atomic.compare_and_set state s waiting
  && begin
    sleep_until waiting.alarm;
    true
  end

let start () =
  let run () =
    make_pipe ();
    serve ()
  in
  let spawn () =
    match Domain.spawn run with
    | (_ : unit Domain.t) -> ()
    | exception Failure _ -> ignore (Thread.create run () : Thread.t)
  in
  Caller.with_signals_blocked spawn

let ids = Atomic.make 0

(* Calls [f], which must not raise or wait, at this time of the [Clock]. From any thread. *)
let at time f =
  let timer = (time, Atomic.fetch_and_add ids 1) in
  let before = update (fun s -> { s with is_up = true; calls = By_time.add timer f s.calls }) in
  if not before.is_up then start () else if time < before.alarm then wake ();
  timer

(* Whether a call is due some time. *)
let has_timers () =
  match By_time.min_binding_opt (Atomic.get state).calls with
  | Some ((time, _), _) -> time < infinity
  | None -> false

(* If it is not too late. *)
let cancel timer =
  ignore (update (fun s -> { s with calls = By_time.remove timer s.calls }) : state)
