(** The model of a machine, as a value. The manual's page "Simulated" says where each figure comes
    from. Times are in nanoseconds. *)

type sleep = {
  idle : int;  (** a processor that was idle for so long or longer *)
  wake : int;  (** to wake a thread that is to run there, for the waker *)
  latency : int;  (** until that runs *)
}
(** The type for how deeply processors sleep. *)

type t = {
  name : string;
  processors : int;
  cluster : int;  (** processors that share the nearest cache that any two share *)
  socket : int;  (** processors of one socket *)
  slow : int;  (** so many of the processors, the last ones, are slow *)
  slowness : float;  (** what the others do in one second takes these so many *)
  (* An access to a line of the caches, by who had it last *)
  hit : int;  (** the processor itself *)
  step : int;  (** the same, for an atomic read-modify-write *)
  store : int;  (** a plain write, which waits for nobody *)
  within_cluster : int;
  within_socket : int;
  between_sockets : int;
  from_memory : int;  (** nobody, or many; from the last cache that all share *)
  read_occupancy : int;  (** for how long a read keeps the line from others *)
  (* Instructions *)
  relax : int;
  clock : int;  (** to read it *)
  element : int;  (** to read or write one of an array, in the library *)
  fork : int;
  fiber : int;
  stolen : int;  (** the slot and the closure of a job that was another's *)
  suspension : int;  (** of a task that waits, and that goes on later *)
  timer : int;  (** a node of their tree, to look at and to copy *)
  sleep : int;  (** of a task, beside its suspension and its timer *)
  (* Threads *)
  sleeps : sleep list;  (** rising; the first, with [idle] 0, is none *)
  timer_slack : int;  (** how late the system's timers are *)
  ring : int;  (** to write to a bell's socket, or to read from it *)
  thread : int;  (** to make one *)
  domain : int;
  slice : int;  (** for how long a thread runs while others wait for its processor *)
  switch : int;  (** from one thread to another *)
  credit : int;  (** how much a thread that has slept may be behind those that ran *)
  balance : int;  (** how often a processor at most gives a waiting thread to another *)
  (* Collections *)
  interrupt : int;  (** to tell one domain *)
  collection : int;  (** of a minor heap without survivors *)
  collection_each : int;  (** the same, for each domain *)
  survivor : float;  (** to copy one word, and what it costs the major collector later *)
  fresh : float;  (** a word of a large array: its pages, and what it costs the major collector *)
  quota : (int * int) option;  (** processor time that a container has, in each period *)
}
(** The type for machines. *)

val server : int -> t
(** [server n] is one socket with [n] processors. *)

val two_sockets : t
(** 2 sockets of 64. *)

val laptop : t
(** 4 fast processors and 4 slow ones. *)

val virtual_ : int -> t
(** [virtual_ n] is a virtual machine as those on which Drover is developed. *)

val low : t -> t
(** [low m] is [m] with the low estimate of what only a machine of that size could tell: lines,
    wake-ups and collections. *)

val high : t -> t
(** The same with the high estimate. *)

val with_processors : int -> t -> t
(** [with_processors n m] is [m] with [n] processors. *)
