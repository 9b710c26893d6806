(** Timelines of simulated runs. *)

val page : title:string -> Drover_machine.Log.entry list -> string
(** [page ~title log] is the page of [drover trace] for what [log] says that each domain did. *)
