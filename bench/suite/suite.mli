(** One call of the benchmark command. *)

open Drover_harness

type request = {
  entries : Registry.entry list;
  params : Kernel.params;
  plan : Measure.plan;
  busy : int;  (** spinning processes meanwhile *)
  from : string list;  (** results to read, instead of measuring *)
  json : string option;
  picture : string option;  (** of the speed-ups of all programs *)
  update : string list;  (** files whose figures are to be renewed *)
  beside : string list;  (** results measured beside other programs, to be quoted there too *)
  html : string option;
  out : string option;  (** the directory for pictures *)
  compare : string option;  (** results from before *)
}
(** The type for what the user asked for. *)

type failure =
  | Bad_input of string  (** a file or directory of the user's is of no use *)
  | Wrong of string  (** a version does not compute what the serial program does *)
  | Slower  (** something takes longer than before *)

val size_name : Kernel.size -> string
(** [size_name size] is what the user calls [size]. *)

val run : request -> (unit, failure) result
(** [run request] measures, prints tables on [stdout] as they become ready, and writes the files
    asked for. *)
