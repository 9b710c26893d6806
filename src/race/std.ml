(* What is opened at the top of each rewritten file: the same modules, which tell what they do. Nothing else is to be
   here, as it would stand before what the file opens itself. *)

include Std_modules
module Drover = Std_drover.Drover

module Stdlib = struct
  include Stdlib
  include Std_modules
end
