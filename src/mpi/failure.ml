(* Failure: what has gone wrong, as it is told to other ranks and to users. An exception that travels
   is not the same exception any more, so it goes as text. *)

type t = { item : int option; rank : int; message : string; backtrace : string }

exception Failed of t
exception Rank_ended of { rank : int; reason : string }

(* With the text of MPI. The binding raises it. *)
exception Mpi_error of string

let () = Callback.register_exception "Drover_mpi.Mpi_error" (Mpi_error "")

let to_string { item; rank; message; backtrace } =
  let item = Option.fold item ~none:"" ~some:(Printf.sprintf "item %d, ") in
  let backtrace = if backtrace = "" then "" else "\n" ^ String.trim backtrace in
  Printf.sprintf "%srank %d: %s%s" item rank message backtrace

let () =
  Printexc.register_printer (function
    | Failed t -> Some ("Drover_mpi.Failed: " ^ to_string t)
    | Rank_ended { rank; reason } ->
        Some (Printf.sprintf "Drover_mpi.Rank_ended: rank %d: %s" rank reason)
    | Mpi_error text -> Some ("Drover_mpi.Mpi_error: " ^ text)
    | _ -> None)

let of_exn ?item ~rank exn backtrace =
  let backtrace = Printexc.raw_backtrace_to_string backtrace in
  { item; rank; message = Printexc.to_string exn; backtrace }

(* On stderr, for the end of everything. *)
let print t =
  flush stdout;
  prerr_endline ("Drover_mpi: " ^ to_string t);
  flush stderr
