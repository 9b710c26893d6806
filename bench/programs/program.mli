(** What a program of the suite is: an input of a given size, and two or
    three ways to the result. *)

open Drover_harness

val kernel :
  name:string ->
  doc:string ->
  sizes:int * int * int ->
  about:(int -> string) ->
  input:(int -> 'i) ->
  ?check:(expected:'r -> 'r -> (unit, string) result) ->
  show:('r -> string) ->
  serial:('i -> 'r) ->
  drover:('i -> 'r) ->
  ?domainslib:(Domainslib.Task.pool -> 'i -> 'r) ->
  unit ->
  Kernel.t
(** [kernel ~sizes ~input ...] is the program as a benchmark. [sizes] are
    the tiny, the quick and the full size; [input size] is made once and is
    the same in every call, and no version changes it. [check] is by
    structural equality unless it is given. *)
