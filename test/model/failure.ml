(* Stands for the engine's failures. *)

type t = { exn : exn }

let catch f = try Ok (f ()) with exn -> Error { exn }
let raise f = raise f.exn
let get = function Ok v -> v | Error f -> raise f

let raise_after finish x exn =
  finish x;
  Stdlib.raise exn

let finally finish f =
  match f () with
  | v ->
      finish ();
      v
  | exception exn -> raise_after finish () exn
