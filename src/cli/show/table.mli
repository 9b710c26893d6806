(** Tables of text: the one form of result that the terminal and the report share. *)

type t = {
  title : string;
  notes : string list;  (** sentences under the title *)
  header : string list;  (** the first column holds names, the others figures *)
  rows : string list list;  (** each as long as [header] *)
}
(** The type for tables. *)

val pp : t Fmt.t
(** [pp] prints a table in aligned columns. *)
