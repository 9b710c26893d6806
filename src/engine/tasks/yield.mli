(** To let others go first. *)

val give_way : Worker.t -> unit
(** [give_way w] lets all go first that its pool has to do now; [w] runs the calling task. In a
    callback it does nothing. *)

val give_turn : is_counted:bool -> unit
(** [give_turn ~is_counted] lets what waits in turn go first, if the calling task has had its slice:
    see [Slice]. In a section, or where the caller cannot wait, it does nothing. *)
