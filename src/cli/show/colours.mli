(** Colours: on terminals only, and never if [NO_COLOR] is set. *)

val of_environment : is_terminal:bool -> (string -> string option) -> Fmt.style_renderer
(** [of_environment ~is_terminal getenv] is whether to print colours to what is a terminal or not.
*)

val set_up : unit -> unit
(** [set_up ()] sets the formatters of standard output and standard error. *)

val strip : string -> string
(** [strip text] is [text] without colours. *)

val with_errors : (Format.formatter -> 'a) -> 'a
(** [with_errors f] is [f ppf], where what is printed on [ppf] comes out on standard error: without
    colours unless they are wanted there. For libraries that always print them. *)
