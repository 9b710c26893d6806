(** What a benchmark is: one problem, solved in several versions that must agree. *)

(** How much work to do: [Tiny] for tests, [Quick] for a demonstration, [Full] for figures to quote.
*)
type size = Tiny | Quick | Full

type params = {
  size : size;
  rle : string option;  (** a pattern file for [life] *)
  dir : string option;  (** the directory tree that [index] reads *)
}
(** The type for what the user chose. *)

(** What runs a version, and so what it may use. *)
type ('i, 'r) engine =
  | Serial of ('i -> 'r)
  | Drover of ('i -> 'r)  (** runs as a task of a pool *)
  | Domainslib of (Domainslib.Task.pool -> 'i -> 'r)  (** runs within [Task.run] *)
  | Program of (domains:int -> float)
      (** another program, whose result nobody checks; it tells how many seconds a run takes *)

type ('i, 'r) version = { name : string; engine : ('i, 'r) engine }
(** The type for ways to compute ['r] from ['i]. *)

(** The type for problems. [serial] is the reference, which every result of [versions] is checked
    against. *)
type problem =
  | Problem : {
      about : string;  (** the input, for the table's heading *)
      input : unit -> 'i;  (** an input that a run may destroy *)
      serial : 'i -> 'r;
      versions : ('i, 'r) version list;
      check : expected:'r -> 'r -> (unit, string) result;
      note : 'r -> string;  (** one line about the result, or [""] *)
      picture : ('r -> string * string) option;  (** a file's name and contents *)
    }
      -> problem

type t = {
  name : string;
  doc : string;
  prepare : params -> (problem, string) result;
      (** [Error] says what is wrong with the user's input *)
}
(** The type for benchmarks. *)

val serial : string -> ('i -> 'r) -> ('i, 'r) version
(** [serial name f] is [f] as a version that uses one domain. *)

val drover : ?name:string -> ('i -> 'r) -> ('i, 'r) version
(** [drover f] is [f] as a version that runs in a Drover pool. *)

val domainslib : ?name:string -> (Domainslib.Task.pool -> 'i -> 'r) -> ('i, 'r) version
(** [domainslib f] is [f] as a version that runs in a Domainslib pool. *)

val program : string -> (domains:int -> float) -> ('i, 'r) version
(** [program name seconds] is a version that another program runs, in [seconds]. *)

val equal : ('r -> string) -> expected:'r -> 'r -> (unit, string) result
(** [equal show] is the check by structural equality; [show] describes a result. *)

val by_size : size -> tiny:'a -> quick:'a -> full:'a -> 'a
(** [by_size size ~tiny ~quick ~full] is the one that [size] names. *)
