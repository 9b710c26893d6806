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
  let clear h = T.clear (writing h)
  let reset h = T.reset (writing h)
  let copy h = T.copy (reading h)
  let add h k v = T.add (writing h) k v
  let remove h k = T.remove (writing h) k
  let find h k = T.find (reading h) k
  let find_opt h k = T.find_opt (reading h) k
  let find_all h k = T.find_all (reading h) k
  let replace h k v = T.replace (writing h) k v
  let mem h k = T.mem (reading h) k
  let iter f h = T.iter f (reading h)
  let filter_map_inplace f h = T.filter_map_inplace f (writing h)
  let fold f h x = T.fold f (reading h) x
  let length h = T.length (reading h)
  let to_seq h = T.to_seq (reading h)
  let to_seq_keys h = T.to_seq_keys (reading h)
  let to_seq_values h = T.to_seq_values (reading h)
  let add_seq h s = T.add_seq (writing h) s
  let replace_seq h s = T.replace_seq (writing h) s
end
