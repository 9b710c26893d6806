(* What has a state that its calls change: generators of random numbers, formatters, lazy values. The default generator
   is no such thing, as each domain has its own. *)

open Tell

module Random = struct
  include Stdlib.Random

  module State = struct
    include Stdlib.Random.State

    let copy s = copy (reading s)
    let bits s = bits (writing s)
    let int s n = int (writing s) n
    let full_int s n = full_int (writing s) n
    let int_in_range s = int_in_range (writing s)
    let int32 s n = int32 (writing s) n
    let int64 s n = int64 (writing s) n
    let float s x = float (writing s) x
    let bool s = bool (writing s)
    let bits32 s = bits32 (writing s)
    let bits64 s = bits64 (writing s)
    let split s = split (writing s)
  end
end

module Format = struct
  include Stdlib.Format

  let fprintf ppf = fprintf (writing ppf)
  let kfprintf k ppf = kfprintf k (writing ppf)
  let pp_print_string ppf s = pp_print_string (writing ppf) s
  let pp_print_int ppf i = pp_print_int (writing ppf) i
  let pp_print_float ppf x = pp_print_float (writing ppf) x
  let pp_print_char ppf c = pp_print_char (writing ppf) c
  let pp_print_bool ppf b = pp_print_bool (writing ppf) b
  let pp_print_space ppf () = pp_print_space (writing ppf) ()
  let pp_print_cut ppf () = pp_print_cut (writing ppf) ()
  let pp_print_break ppf n k = pp_print_break (writing ppf) n k
  let pp_force_newline ppf () = pp_force_newline (writing ppf) ()
  let pp_print_newline ppf () = pp_print_newline (writing ppf) ()
  let pp_print_flush ppf () = pp_print_flush (writing ppf) ()
  let pp_open_box ppf n = pp_open_box (writing ppf) n
  let pp_open_hbox ppf () = pp_open_hbox (writing ppf) ()
  let pp_open_vbox ppf n = pp_open_vbox (writing ppf) n
  let pp_open_hvbox ppf n = pp_open_hvbox (writing ppf) n
  let pp_open_hovbox ppf n = pp_open_hovbox (writing ppf) n
  let pp_close_box ppf () = pp_close_box (writing ppf) ()
end

(* To force what nobody has forced changes it. *)
module Lazy = struct
  include Stdlib.Lazy

  let force l = force (forcing l)
  let force_val l = force_val (forcing l)
  let map f l = map f (forcing l)
end
