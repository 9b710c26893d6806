(** Runs a program and listens to its runtime events meanwhile. *)

type outcome = {
  status : Unix.process_status;
  seconds : float;  (** wall *)
  cpu : float;  (** seconds of processor time *)
  idle : float option;  (** that which no program used, where the system tells *)
  lost : int;  (** words of events that were overwritten before they were read *)
  hears_drover : bool;  (** whether any event was Drover's *)
  execs : int;  (** how often it became another OCaml program *)
  unseen : float;
      (** seconds before its end of which nothing is known, as it became another program or ended
          without its runtime *)
}
(** The type for what is known of a program that has ended. *)

val run :
  ?bindings:string list ->
  ?stdout:Unix.file_descr ->
  Program.t ->
  on_lost:(int -> unit) ->
  Event.listener ->
  (outcome, string) result
(** [run program ~on_lost listen] is the outcome of [program]. It has the caller's standard input
    and outputs, but for [stdout], and the caller's environment with [bindings], such as ["A=1"].
    [on_lost ring] is told when events of [ring] were lost. [listen] hears [Program_ends] last, at
    the time at which what is open is over. The error says why there are no events to read. *)

val run_for_file :
  ?bindings:string list ->
  ?stdout:Unix.file_descr ->
  Program.t ->
  variable:string ->
  (in_channel -> 'a option) ->
  (Unix.process_status * 'a option, string) result
(** [run_for_file ~bindings program ~variable read] runs [program], for which the environment
    variable names a file, besides [bindings], and is its end and what [read] makes of the file, if
    [program] wrote one. The error says why it could not be run. *)

val run_timed :
  bindings:string list ->
  stdout:Unix.file_descr ->
  stderr:Unix.file_descr ->
  Program.t ->
  on_look:(int -> unit) ->
  Unix.process_status * float
(** [run_timed program ~on_look] runs [program] without listening to it, and is its end and the
    seconds that it took. [on_look pid] is called when it has begun, and from then on after each
    hundredth of its time, but at least every 20 ms. What [on_look] or the handler of a signal
    raises ends the program. Raises [Unix.Unix_error] if there is no process to be had. *)

val code_of_status : Unix.process_status -> int
(** [code_of_status status] is the program's own exit code, or 128 and the number of the signal that
    ended it. *)

val ending : Unix.process_status -> string
(** [ending status] is a sentence about it, after a blank; [""] if nothing went wrong. *)

val exit_code : outcome -> int
(** [exit_code outcome] is that of its status. *)

val remarks : outcome -> string list
(** [remarks outcome] are sentences for users about what could not be seen. *)

type lack =
  | Nothing  (** worth mentioning *)
  | Taken  (** other programs had the processors *)
  | Asleep  (** they were free: the program's threads waited in system calls *)

(** The type for why a program used less processor time than it was busy. *)

val lack : outcome -> busy:float -> unserved:float -> lack
(** [lack outcome ~busy ~unserved] is why [outcome.cpu] is less than [busy] seconds. The workers
    have told that they waited [unserved] seconds for processors. *)
