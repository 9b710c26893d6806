type t = { mutable file : Unix.file_descr; mutable is_open : bool }

let none () = { file = Unix.stdin; is_open = false }

let[@inline] note o file =
  o.file <- file;
  o.is_open <- true

(* The system call is not repeated once it has been made: the number may be another file's then. *)
let close o =
  if o.is_open then begin
    (try Unix.close o.file with Unix.Unix_error _ -> ());
    o.is_open <- false
  end
