(** Shadow memory: of each place that was accessed while strands are side by side, who accessed it.

    Places are the elements of arrays, the fields of records and objects, and structures as a whole.
    All of it is for the domain on which the program is checked. *)

type kind = Read | Write  (** The type for accesses. *)

type label
(** The type for names of fields. Nobody here knows types: two fields of one block that have one
    name would be one place. *)

val label : string -> label
(** [label name] is the label for [name], the same one for each file. *)

val variable : string -> label
(** [variable name] is that of a mutable instance variable of objects. *)

val whole : label
(** [whole] is that of what has but one place, as a reference. *)

val note_mutable : label -> fields:int -> unit
(** [note_mutable l ~fields]: blocks of so many fields have a mutable one with the label [l]. Only
    reads of such ones count: most fields are read only, and would cost as much. *)

val field : kind -> Sites.t -> label -> Address.block -> unit
(** [field kind site label b] is an access to a field of [b]. *)

type window = private {
  site : Sites.t;
  mutable array : Address.block;
  mutable chunks : Bytes.t array;
}
(** The type for sites of elements, with the array that each met last. *)

val window : Sites.t -> window
(** [window site] is that of [site]. *)

val read_element : window -> Address.block -> length:int -> int -> unit
(** [read_element w b ~length i] is a read of element [i] of [b], which has [length]. One that is
    out of bounds is none. *)

val write_element : window -> Address.block -> length:int -> int -> unit

val elements : kind -> window -> Address.block -> length:int -> int -> int -> unit
(** [elements kind w b ~length first n] is an access to [n] elements from [first] on. *)

val data : kind -> Sites.t -> Address.block -> bits:int -> int -> unit
(** [data kind site b ~bits i] is an access to element [i] of the data of a bigarray [b], whose
    elements have [2]{^ [bits]} bytes; they may be those of other bigarrays. *)

val forget : unit -> unit
(** [forget ()]: all that comes now comes after all that was. *)

val accesses : int ref
(** [accesses] is how many there were. *)
