(** Parany's programming interface, on Drover: domains instead of processes.

    To move a program from {{:https://github.com/UnixJunkie/parany} Parany} to Drover, replace
    [parany] by [drover.parany] in its dune file. This module has every value of Parany 14 with its
    type. What a process does is done by a {e rank}, which is a task of the caller's pool; so
    nothing is forked or marshalled, and results are the values themselves. But ranks share the
    program's memory: {!page-processes} says which programs rely on the contrary. A program cannot
    link both libraries.

    A function may be called from anywhere: also in a domain, in a program that has spawned one, and
    in a rank. It suspends its task or blocks the calling thread until all ranks have ended. There
    are never more ranks at work than the pool has workers. *)

exception End_of_input
(** [End_of_input] is raised by a [demux] that has no more items. *)

val run :
  ?init:(int -> unit) ->
  ?finalize:(unit -> unit) ->
  ?preserve:bool ->
  ?core_pin:bool ->
  ?csize:int ->
  int ->
  demux:(unit -> 'a) ->
  work:('a -> 'b) ->
  mux:('b -> unit) ->
  unit
(** [run n ~demux ~work ~mux] calls [mux (work x)] for each [x] that [demux ()] returns, until that
    raises {!End_of_input}. [n] ranks do so: [work] is called by many at a time, [demux] and [mux]
    by one at a time, in any of the ranks (in Parany, [mux] is called by the caller). Ranks take and
    hand on [csize] items at a time, 1 by default; more are better where [work] takes less than some
    microseconds. If [preserve] is [true], results come to [mux] in the order of their items; those
    that come early are kept meanwhile. By default they come in the order in which they are ready.
    [core_pin] does nothing.

    Each rank calls [init i] first, where [i] is its number, and [finalize ()] in the end if [init]
    has returned, even if the rank fails. No cancellation reaches these two. If [n <= 1] there are
    no ranks: the caller does all this in turn, without [init] and [finalize], as in Parany.

    When one of these functions raises, the ranks are cancelled: they end at their next item, or
    earlier where they fork or wait; [demux] and [mux] are not called once more if they have raised.
    When all have ended, the first exception is raised, with its backtrace; also {!End_of_input} of
    [work] or [mux]. In Parany, items of a rank that fails are lost without a word. Raises
    [Invalid_argument] if [csize < 1].

    Work: that of all calls, plus O(n). Span: the longest [work] of a chunk for each round of
    chunks, or all [demux], or all [mux], whichever is longest, plus O(n). *)

val get_rank : unit -> int
(** [get_rank ()] is the number of the rank that the caller is in, from 0, or -1 outside. A task
    that a rank starts is in that rank. Never waits. *)

(** Functions like Parmap's, with {!run}'s arguments and exceptions. *)
module Parmap : sig
  val parmap :
    ?init:(int -> unit) ->
    ?finalize:(unit -> unit) ->
    ?preserve:bool ->
    ?core_pin:bool ->
    ?csize:int ->
    int ->
    ('a -> 'b) ->
    'a list ->
    'b list
  (** [parmap n f l] is [List.map f l], in the order of [l]; in Parany, only if [preserve] is
      [true]. *)

  val parmapi :
    ?init:(int -> unit) ->
    ?finalize:(unit -> unit) ->
    ?preserve:bool ->
    ?core_pin:bool ->
    ?csize:int ->
    int ->
    (int -> 'a -> 'b) ->
    'a list ->
    'b list
  (** [parmapi n f l] is [List.mapi f l], likewise. *)

  val pariter :
    ?init:(int -> unit) ->
    ?finalize:(unit -> unit) ->
    ?preserve:bool ->
    ?core_pin:bool ->
    ?csize:int ->
    int ->
    ('a -> unit) ->
    'a list ->
    unit
  (** [pariter n f l] calls [f x] for each [x] of [l]. What [f] changes in memory stays changed. *)

  val parfold :
    ?init:(int -> unit) ->
    ?finalize:(unit -> unit) ->
    ?preserve:bool ->
    ?core_pin:bool ->
    ?csize:int ->
    int ->
    ('a -> 'b) ->
    ('acc -> 'b -> 'acc) ->
    'acc ->
    'a list ->
    'acc
  (** [parfold n f g first l] is [List.fold_left g first (List.map f l)], where [g] is called by one
      rank at a time, and takes results as they come unless [preserve] is [true]. *)

  val array_parmap :
    ?init:(int -> unit) ->
    ?finalize:(unit -> unit) ->
    ?core_pin:bool ->
    ?csize:int ->
    int ->
    ('a -> 'b) ->
    'b ->
    'a array ->
    'b array
  (** [array_parmap n f y a] is [Array.map f a], in the order of [a]. [y] is any value: the result
      is filled with it at first. *)

  val array_pariter :
    ?init:(int -> unit) ->
    ?finalize:(unit -> unit) ->
    ?core_pin:bool ->
    ?csize:int ->
    int ->
    ('a -> unit) ->
    'a array ->
    unit
  (** [array_pariter n f a] calls [f x] for each [x] of [a]. *)

  val array_pariteri :
    ?init:(int -> unit) ->
    ?finalize:(unit -> unit) ->
    ?core_pin:bool ->
    ?csize:int ->
    int ->
    (int -> 'a -> unit) ->
    'a array ->
    unit
  (** [array_pariteri n f a] is {!array_pariter}, where [f] also takes the position of the element.
  *)
end
