(* Ctrl-C as a fault: one SIGINT at a random moment of the program, from another domain.

   [Raised]: its handler raises [Sys.Break], as that of [Sys.catch_break] does, wherever the main thread
   is. A program is made of forks, loops, scopes and promises only, as what the handler strikes in the
   middle of a lock, a channel or a batch may stay locked, or be lost.

   [Awaited]: the program runs in [Scope.run_until_signal], which cancels it: a program of any kind. *)

open Fault

let signal = Sys.sigint

(* The next SIGINT. The domain sends it; a program that ends before withdraws it.

   Nothing --arm--> Wanted seconds --take, by the domain--> Under_way --sent--> Nothing

   Wanted --disarm--> Nothing *)
type next = Nothing | Wanted of float | Under_way

let next = Atomic.make Nothing

let send () =
  match Atomic.get next with
  | Wanted seconds as wanted ->
      Unix.sleepf seconds;
      if Atomic.compare_and_set next wanted Under_way then begin
        Unix.kill (Unix.getpid ()) signal;
        Atomic.set next Nothing
      end
  | Nothing | Under_way -> Unix.sleepf 1e-4

let send_for_ever () =
  ignore (Thread.sigmask SIG_BLOCK [ signal ] : int list);
  while true do
    send ()
  done

(* A program takes some milliseconds. *)
let arm random =
  Fault.arm random ~among:1;
  Atomic.set next (Wanted (1e-6 *. (20_000. ** Random.State.float random 1.)))

(* A signal that is under way comes before this ends. *)
let disarm () =
  Fault.disarm ();
  (match Atomic.get next with
  | Wanted _ as wanted -> ignore (Atomic.compare_and_set next wanted Nothing : bool)
  | Nothing | Under_way -> ());
  while Atomic.get next <> Nothing do
    Unix.sleepf 1e-4
  done

(* Once: what it struck may take long to end. *)
let strike _ =
  if is_armed () then begin
    Atomic.incr count;
    raise Sys.Break
  end

module Common = struct
  let limits = no_limits
  let parameters ~domains:_ = ""
  let companions = 0
  let arm = arm
  let disarm = disarm
  let wrap f = f ()
  let count () = Atomic.get count

  let install () =
    Sys.set_signal signal (Signal_handle strike);
    ignore (Domain.spawn send_for_ever : unit Domain.t)
end

module Raised : KIND = struct
  include Common

  let name = "break"
  let parts = Program.Structure
  let around f = f ()
  let is_known e = e = Sys.Break
end

module Awaited : KIND = struct
  include Common

  let name = "until-signal"
  let parts = Program.Everything
  let is_known e = e = Drover.Scope.Signalled signal

  (* A signal that comes before or behind the scope is nobody's. *)
  let install () =
    install ();
    Sys.set_signal signal (Signal_handle ignore)

  let around f =
    try Drover.Scope.run_until_signal ~signals:[ signal ] (fun _ -> f ())
    with Drover.Scope.Signalled _ as e ->
      Atomic.incr Fault.count;
      raise e
end

let all : (module KIND) list = [ (module Raised); (module Awaited) ]
