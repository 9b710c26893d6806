type limit = Account.limit = Heap of int | Allocated of int

exception Exceeded = Account.Exceeded

(* In the context of the caller. *)
let change ?heap ?allocated s =
  match (heap, allocated) with
  | None, None -> Interruptible.allow
  | _ ->
      let outer = (Task.context ()).account in
      let account = Account.create ~outer ?heap ?allocated (Scope.cancel s) in
      fun context -> { (Interruptible.allow context) with account }

let is_limit = function Timeout.Timeout | Exceeded _ -> true | _ -> false
let check_words words = if words < 0 then invalid_arg "Drover.Scope.limited: fewer than 0 words"

let limited ?timeout ?heap ?allocated f =
  Option.iter check_words heap;
  Option.iter check_words allocated;
  Option.iter (Timeout.check_seconds "limited") timeout;
  Pool.inside (fun () ->
      Interruptible.during (fun () ->
          let change = change ?heap ?allocated in
          Timeout.within ?seconds:timeout ~change ~is_limit (fun (_ : Scope.t) -> f ())))
