(* The user's events of Runtime_events, which go into the log *)

open Drover_machine
module Timestamp = Runtime_events.Timestamp

module Type = struct
  type span = Runtime_events.Type.span = Begin | End
  type _ t = Unit : unit t | Span : span t | Int : int t

  let unit = Unit
  let span = Span
  let int = Int
end

module User = struct
  type tag = ..
  type 'a t = { name : string; typ : 'a Type.t }

  let register name (_ : tag) typ = { name; typ }

  let write (type a) (event : a t) (value : a) =
    match (event.typ, value) with
    | Unit, () -> Log.tell (Notes (event.name, 0))
    | Span, Begin -> Log.tell (Begins event.name)
    | Span, End -> Log.tell (Ends event.name)
    | Int, n -> Log.tell (Notes (event.name, n))
end

(* Nobody reads but the log. *)
let path () = None
