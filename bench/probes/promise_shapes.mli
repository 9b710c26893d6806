(** Programs that consist of promises, over Domainslib's interface, whichever library has it. *)

(** What they use of it. *)
module type Task = sig
  type pool
  type 'a promise

  val async : pool -> (unit -> 'a) -> 'a promise
  val await : pool -> 'a promise -> 'a

  val parallel_for :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> pool -> unit
end

type size = {
  awaited : int;  (** promises that a loop makes *)
  fib : int;
  tak : int;  (** the first of its arguments *)
  queens : int;
  letters : int;  (** of the words whose distance is sought *)
  loops : int;
}
(** The type for how much there is to do. *)

module Make (T : Task) : sig
  val all : size -> (string * (T.pool -> int)) list
  (** [all size] is the shapes, by name, and what they compute. *)
end

val serial : size -> (string * (unit -> int * int)) list
(** [serial size] is the same shapes without parallelism: what they compute, and how many promises
    they make. A loop in chunks counts as one. *)
