(* Stands for the scheduler's tasks. *)

let last = ref 0

(* Nobody comes again here. *)
let number () =
  incr last;
  !last

let is_told_apart () = true
