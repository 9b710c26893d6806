(** Operations in the queue of a batched object, and their submitters' waits.

    The submitter makes it and waits for it; the server of the object applies it and publishes that.
*)

type 'op t
(** The type for entries of operations ['op]. *)

val create : 'op -> since:float -> 'op t
(** [create op ~since] is for [op], whose submitter is awake. *)

val op : 'op t -> 'op
(** [op e] is the operation. *)

val since : 'op t -> float
(** [since e] is when it was made. *)

(** {1 For the submitter} *)

val wait : 'op t -> unit
(** [wait e] waits, in any case, until [e] was published. Then all that the batch did is seen. *)

val failure : 'op t -> Failure.t option
(** [failure e] is why a served operation has failed, if it has. *)

(** {1 For the server}

    In this order. *)

val fail : 'op t -> Failure.t -> unit
(** [fail e failure] notes the failure of an operation that was not published. *)

val publish : 'op t -> unit
(** [publish e] says that the operation has been applied, or has failed, and wakes the submitter.
    Never waits. *)
