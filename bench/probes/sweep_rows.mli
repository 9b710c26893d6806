(** The functions of the library that take many elements, each beside what one would write without
    it. *)

type row = {
  name : string;
  alone : float;  (** how fast it is to be on one domain, relative to the serial program *)
  shared : float;  (** and on two or more, from 100,000 elements on *)
  case : int -> (unit -> unit) * (unit -> unit);
      (** the serial program and ours, on so many elements *)
}
(** The type for a function on some kind of elements. *)

val all : row list
(** [all] is all of them. *)
