(** The facts about the machine without which figures mean little. *)

type t = {
  cores : int;  (** processors that this process may use *)
  model : string;  (** of the processor, or ["unknown"] *)
  system : string;  (** operating system and architecture *)
  ocaml : string;
  minor_heap_words : int;  (** of a domain, unless a pool chooses otherwise *)
  load : float option;  (** of the last minute, before the measurements *)
}
(** The type for machines. *)

val here : unit -> t
(** [here ()] is this machine. *)

val busy_now : unit -> float option
(** [busy_now ()] is the part of the processors that other programs use, as measured for a moment.
*)

val name : t -> string
(** [name m] is its processor and its OCaml, in a few words. *)

val pp : t Fmt.t
(** [pp] prints a machine on one line. *)
