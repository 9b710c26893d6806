(** What rewritten programs call: each of these tells of an access that is about to happen, at a
    site. They do next to nothing while nothing is side by side. *)

val sites : file:string -> (int * int * string) array -> Shadow.window array
(** [sites ~file l] is those of a file: see [Sites.add]. *)

val refers : file:string -> string list -> unit
(** [refers ~file paths]: see [Sites.refers]. *)

val label : string -> Shadow.label
(** [label name] is that of a field. *)

val variable : string -> Shadow.label
(** [variable name] is that of an instance variable. *)

val has_mutable : string -> int -> unit
(** [has_mutable name n]: a type of the program has [n] fields, and a mutable one is called [name].
*)

val at : Shadow.window -> unit
(** [at site]: the call at [site] is next. *)

val nowhere : Shadow.window
(** [nowhere] is the site of calls that nothing is told of. *)

(** {1 Accesses} *)

val read_array : Shadow.window -> 'a array -> int -> unit
val write_array : Shadow.window -> 'a array -> int -> unit
val read_floats : Shadow.window -> Float.Array.t -> int -> unit
val write_floats : Shadow.window -> Float.Array.t -> int -> unit
val read_bytes : Shadow.window -> Bytes.t -> int -> unit
val write_bytes : Shadow.window -> Bytes.t -> int -> unit

val read_bigarray : Shadow.window -> ('a, 'b, 'c) Bigarray.Genarray.t -> int array -> unit
(** [read_bigarray site b indices] is of the element at [indices]; of none, if they are out of
    bounds. *)

val write_bigarray : Shadow.window -> ('a, 'b, 'c) Bigarray.Genarray.t -> int array -> unit
val read_array1 : Shadow.window -> ('a, 'b, 'c) Bigarray.Array1.t -> int -> unit
val write_array1 : Shadow.window -> ('a, 'b, 'c) Bigarray.Array1.t -> int -> unit
val read_array2 : Shadow.window -> ('a, 'b, 'c) Bigarray.Array2.t -> int -> int -> unit
val write_array2 : Shadow.window -> ('a, 'b, 'c) Bigarray.Array2.t -> int -> int -> unit
val read_ref : Shadow.window -> 'a -> unit
val write_ref : Shadow.window -> 'a -> unit
val read_field : Shadow.window -> Shadow.label -> 'a -> unit
val write_field : Shadow.window -> Shadow.label -> 'a -> unit

val read_field_of_argument : Shadow.window -> Shadow.label -> 'a -> unit
(** [read_field_of_argument site l c] is of a field of the argument of a constructor [c]; or of [c]
    itself, if that has its record inline. *)

val write_field_of_argument : Shadow.window -> Shadow.label -> 'a -> unit

(** {1 By the latest call}

    Each is the structure that the call reads or changes, or some elements of it from the first on.
*)

val reading : 'a -> 'a
val writing : 'a -> 'a
val reading_part : 'a array -> int -> int -> 'a array
val writing_part : 'a array -> int -> int -> 'a array
val reading_all : 'a array -> 'a array
val writing_all : 'a array -> 'a array
val reading_part_of_bytes : Bytes.t -> int -> int -> Bytes.t
val writing_part_of_bytes : Bytes.t -> int -> int -> Bytes.t
val reading_part_of_floats : Float.Array.t -> int -> int -> Float.Array.t
val writing_part_of_floats : Float.Array.t -> int -> int -> Float.Array.t
val reading_floats : Float.Array.t -> Float.Array.t
val writing_floats : Float.Array.t -> Float.Array.t
val reading_array1 : ('a, 'b, 'c) Bigarray.Array1.t -> ('a, 'b, 'c) Bigarray.Array1.t
val writing_array1 : ('a, 'b, 'c) Bigarray.Array1.t -> ('a, 'b, 'c) Bigarray.Array1.t

val forcing : 'a Lazy.t -> 'a Lazy.t
(** [forcing l] is [l], which the call forces: it changes that if nobody has done so yet. *)

val thread : unit -> unit
(** [thread ()]: the program makes threads. *)
