(* The interface of Eio's Executor_pool, in our own words. *)

module type Executor_pool = sig
  type t

  val create : sw:Eio.Switch.t -> domain_count:int -> _ Eio.Domain_manager.t -> t
  val submit : t -> weight:float -> (unit -> 'a) -> ('a, exn) result
  val submit_exn : t -> weight:float -> (unit -> 'a) -> 'a
  val submit_fork : sw:Eio.Switch.t -> t -> weight:float -> (unit -> 'a) -> 'a Eio.Promise.or_exn
end
