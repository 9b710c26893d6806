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

val is_served : 'op t -> bool
(** [is_served e] is whether it was published. Then all that the batch did is seen. *)

val wait_on : 'op t -> Waiter.t -> bool
(** [wait_on e waiter] is [true] if the server will wake [waiter], on which the caller then waits;
    [false] if it has published [e] already. *)

val failure : 'op t -> Failure.t option
(** [failure e] is why a served operation has failed, if it has. *)

(** {1 For the server}

    In this order. *)

val fail : 'op t -> Failure.t -> unit
(** [fail e failure] notes the failure of an operation that was not published. *)

val publish : 'op t -> unit
(** [publish e] says that the operation has been applied, or has failed. One step (see [Critical]);
    may be called again. *)

val to_wake : 'op t -> Waiter.t option
(** [to_wake e] is the submitter's waiter, if that waited when [e] was published. *)
