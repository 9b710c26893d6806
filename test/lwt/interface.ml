(* The interface of ocsigen's lwt_domain, in our own words. *)

module type Lwt_domain = sig
  type pool

  val detach : pool -> ('a -> 'b) -> 'a -> 'b Lwt.t
  val run_in_main : (unit -> 'a Lwt.t) -> 'a
  val setup_pool : ?name:string -> int -> pool
  val teardown_pool : pool -> unit
  val lookup_pool : string -> pool option
  val get_num_domains : pool -> int
end
