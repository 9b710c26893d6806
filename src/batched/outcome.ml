(* What an operation carries back. Pending --> Is v, or Failed. *)

type 'a t = Pending | Is of 'a | Failed of exn * Printexc.raw_backtrace

(* Of the exception that was just caught. *)
let failed exn = Failed (exn, Printexc.get_raw_backtrace ())
let catch f = match f () with v -> Is v | exception exn -> failed exn

(* [caller] asks for it. *)
let get ~caller = function
  | Is v -> v
  | Failed (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace
  | Pending -> invalid_arg ("Drover_batched." ^ caller ^ ": the operation has not been applied")

let is_settled = function Pending -> false | Is _ | Failed _ -> true
