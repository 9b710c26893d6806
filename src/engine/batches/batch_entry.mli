(** Operations in the queue of a batched object, and their submitters' waits.

    The submitter makes it and waits for it; the server of the object applies it and publishes that.
*)

type state

type 'op t = private {
  mutable state : state; [@atomic]
  op : 'op;
  mutable failure : Failure.t option;  (** of a served operation *)
}
(** The type for entries of operations ['op]. *)

val create : 'op -> 'op t
(** [create op] is for [op], whose submitter is awake. *)

(** {1 For the submitter} *)

val wait : 'op t -> unit
(** [wait e] waits, in any case, until [e] was published. Then all that the batch did is seen. *)

(** {1 For the server}

    In this order. *)

val fail : 'op t -> Failure.t -> unit
(** [fail e failure] notes the failure of an operation that was not published. *)

val publish : 'op t -> unit
(** [publish e] says that the operation has been applied, or has failed, and wakes the submitter.
    Never waits. *)
