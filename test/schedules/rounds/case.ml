(* Cases: small programs, each about one thing, with what has to hold of it whatever is late. *)

module Machine = Drover_machine

(* What a signal's handler does, at allocations of the main thread *)
type handler =
  | Nothing
  | Raises (* where the round says *)
  | Starts_while of bool ref (* starts tasks, now and then *)

type setting = {
  domains : int;
  random : Random.State.t;
  run : (unit -> unit) -> bool;
      (* as [Drover.run], where a handler may act: whether the function has returned *)
  complain : string -> unit;
}

type t = { name : string; handler : handler; play : setting -> unit }

let case ?(handler = Nothing) name play = { name; handler; play }
let expect s what holds = if not holds then s.complain what

let equal s what expected found =
  expect s (Printf.sprintf "%s: %d instead of %d" what found expected) (found = expected)

(* The user's work, of up to [most] nanoseconds. *)
let work s most = Machine.Work.busy (1 + Random.State.int s.random most)

(* One step each: a handler that raises finds them done, or not begun. *)

let[@poll error] one_more n = ignore (Atomic.fetch_and_add n 1 : int)
let[@poll error] one_less n = ignore (Atomic.fetch_and_add n (-1) : int)

(* Until [n] has come to [k]: spins for some time, and then lets time pass. *)
let rec reach ?(spins = 1_000) n k =
  if Atomic.get n < k then begin
    if spins > 0 then Domain.cpu_relax () else Thread.delay 1e-3;
    reach ~spins:(spins - 1) n k
  end

(* [within n f] is [f ()], which [n] counts meanwhile. *)
let within n f =
  match
    one_more n;
    f ()
  with
  | v ->
      one_less n;
      v
  | exception e ->
      one_less n;
      raise e

(* The tasks of a scope, beside what else it does. *)
let beside s ~tasks task body =
  Drover.Scope.run (fun scope ->
      for i = 1 to tasks do
        Drover.Scope.spawn scope (fun () -> task i)
      done;
      work s 20_000;
      body ())

let never () = Drover.await (fst (Drover.Promise.create ()))

(* A message or a task, and what has become of it. *)
let tally n = Stdlib.Array.init n (fun _ -> Atomic.make 0)

let each_once s what tally =
  Stdlib.Array.iteri (fun i n -> equal s (Printf.sprintf "%s %d" what i) 1 (Atomic.get n)) tally
