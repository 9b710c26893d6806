(** Numbers in what strangers send. *)

val of_string : most:int -> string -> int option
(** [of_string ~most text] is the number from 0 to [most] that [text] is:
    decimal digits, and nothing else. *)
