(** What stays behind. *)

val check : string -> limit:int -> (unit -> int) -> (unit -> unit) -> unit
(** [check what ~limit amount round] fails if each of several calls of [round] leaves [amount ()]
    larger by more than [limit]: so does a leak, whereas what grows by chance does not do so each
    time. *)

val live_words : unit -> int
(** [live_words ()] is the size of all that is reachable. Collects all garbage. *)
