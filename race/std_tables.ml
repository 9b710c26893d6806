(* Hash tables that a functor makes. *)

open Tell

(* What [Make] and [MakeSeeded] have in common. *)
module type Table = sig
  type key
  type !'a t

  val clear : 'a t -> unit
  val reset : 'a t -> unit
  val copy : 'a t -> 'a t
  val add : 'a t -> key -> 'a -> unit
  val remove : 'a t -> key -> unit
  val find : 'a t -> key -> 'a
  val find_opt : 'a t -> key -> 'a option
  val find_all : 'a t -> key -> 'a list
  val replace : 'a t -> key -> 'a -> unit
  val mem : 'a t -> key -> bool
  val iter : (key -> 'a -> unit) -> 'a t -> unit
  val filter_map_inplace : (key -> 'a -> 'a option) -> 'a t -> unit
  val fold : (key -> 'a -> 'acc -> 'acc) -> 'a t -> 'acc -> 'acc
  val length : 'a t -> int
  val to_seq : 'a t -> (key * 'a) Seq.t
  val to_seq_keys : 'a t -> key Seq.t
  val to_seq_values : 'a t -> 'a Seq.t
  val add_seq : 'a t -> (key * 'a) Seq.t -> unit
  val replace_seq : 'a t -> (key * 'a) Seq.t -> unit
end

module Calls (T : Table) = struct
  let clear h =
    writes h;
    T.clear h

  let reset h =
    writes h;
    T.reset h

  let copy h =
    reads h;
    T.copy h

  let add h k v =
    writes h;
    T.add h k v

  let remove h k =
    writes h;
    T.remove h k

  let find h k =
    reads h;
    T.find h k

  let find_opt h k =
    reads h;
    T.find_opt h k

  let find_all h k =
    reads h;
    T.find_all h k

  let replace h k v =
    writes h;
    T.replace h k v

  let mem h k =
    reads h;
    T.mem h k

  let iter f h =
    reads h;
    T.iter f h

  let filter_map_inplace f h =
    writes h;
    T.filter_map_inplace f h

  let fold f h x =
    reads h;
    T.fold f h x

  let length h =
    reads h;
    T.length h

  let to_seq h =
    reads h;
    T.to_seq h

  let to_seq_keys h =
    reads h;
    T.to_seq_keys h

  let to_seq_values h =
    reads h;
    T.to_seq_values h

  let add_seq h s =
    writes h;
    T.add_seq h s

  let replace_seq h s =
    writes h;
    T.replace_seq h s
end
