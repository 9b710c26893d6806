(** What is for one at a time, who must not come again while inside. *)

type t
(** The type for such places. *)

val create : unit -> t
(** [create ()] has nobody inside. *)

val within : string -> t -> (unit -> 'a) -> 'a
(** [within caller s f] is [f ()], inside. Waits as [Turnstile.acquire]. Raises [Invalid_argument]
    for [caller], a function of [Drover], if the calling task is inside already. *)
