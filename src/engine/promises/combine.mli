(** Promises that follow from others; see [Drover.Promise]. They are settled where these are,
    without a task of their own. *)

val map : ('a -> 'b) -> 'a Promise.t -> 'b Promise.t
val both : 'a Promise.t -> 'b Promise.t -> ('a * 'b) Promise.t
val all : 'a Promise.t list -> 'a list Promise.t
val any : 'a Promise.t list -> 'a Promise.t
