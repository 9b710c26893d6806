(** Arrays of any values, with any comparison, which may raise. *)

type 'a order = {
  compare : 'a -> 'a -> int;
  errors : Error_group.t;  (** of the pieces, which fail together *)
}

include
  Element.Ordered
    with type 'a element = 'a
     and type 'a elements = 'a array
     and type 'a order := 'a order

(** Instructions, where they are called. *)

external get : 'a array -> int -> 'a = "%array_unsafe_get"
external set : 'a array -> int -> 'a -> unit = "%array_unsafe_set"
