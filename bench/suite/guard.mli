(** Compares a commit with the program that runs. *)

type request = {
  commit : string;
  names : string list;  (** what to measure; {!default} if empty *)
  size : Drover_harness.Kernel.size;
  domains : int list;
  pairs : int;  (** of processes, one of the commit's program and one of today's *)
}
(** The type for what the user asked for. *)

val default : string list
(** [default] is the names of what shows the price of forks, promises, regions and loops, and of a
    few programs. *)

val run : request -> (unit, Suite.failure) result
(** [run request] builds the commit in a worktree of its own, with today's [bench] if that compiles
    there, measures both in turns, and prints what has changed ({!Drover_harness.Pairs}). The
    worktree is gone afterwards. *)
