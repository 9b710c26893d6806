(** Programs for simulated processors. *)

type run = { go : unit -> unit; is_right : unit -> bool }
(** The type for what is timed, and whether its result is right. *)

type sized = {
  work : int;  (** what it computes, in nanoseconds of one processor *)
  operations : int;  (** the leaves, iterations, tasks or calls that it consists of *)
  prepare : unit -> run;  (** makes what it works on, in a task *)
}
(** The type for programs of a certain size. *)

type t = { name : string; doc : string; of_size : int -> sized }
(** The type for programs. [of_size n] has about [n] milliseconds of work. *)

(** The size of a program on [processors], in milliseconds of work: with [Strong] scaling the same
    on any number, with [Weak] scaling as much for each. *)
type scaling = Strong of int | Weak of int

val on : processors:int -> scaling -> t -> sized
(** [on ~processors scaling p] is [p] in the size that it has there. *)

(** {1 To write programs} *)

val busy : int -> unit
(** [busy ns] computes for so long, on a fast processor. *)

val fitting : int -> each:int -> int
(** [fitting size ~each] is how many pieces of [each] nanoseconds are a program of [size]. *)

val duration : int -> string
(** [duration ns] is [ns] as names have it, such as ["10us"]. *)

val sum : int -> (int -> int) -> int
(** [sum n f] is [f 0 + ... + f (n - 1)]. *)

val hash : int -> int
(** [hash i] is a number that looks random, not negative. *)

val result : (unit -> bool) -> unit -> run
(** [result f] is [f], which is whether it was right itself. *)

val marking : int -> ((int -> unit) -> unit) -> unit -> run
(** [marking n f] is [f visit], which is to call [visit i] once for each [i] below [n]. *)

val each : name:string -> doc:string -> work:int -> (int -> (int -> unit) -> unit) -> t
(** [each ~name ~doc ~work run] is the program [run n visit], which is to call [visit i] once for
    each [i] below [n], and to do [work] for it. *)
