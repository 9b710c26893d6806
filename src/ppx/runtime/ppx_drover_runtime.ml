(* The names that generated code uses. A program may have a module Drover of its own, or another [+]:
   it will hardly have a module of this name. *)

module Drover = Drover
module Stdlib = Stdlib
