type limit = Account.limit = Heap of int | Allocated of int

exception Exceeded = Account.Exceeded

let change_account ?heap ?allocated s =
  match (heap, allocated) with
  | None, None -> Interruptible.allow
  | _ ->
      let outer = (Task.context ()).account in
      let account = Account.create ~outer ?heap ?allocated (Scope.cancel s) in
      fun context -> { (Interruptible.allow context) with account }

let is_limit = function Timeout.Timeout | Exceeded _ -> true | _ -> false

let within ?timeout ?heap ?allocated f =
  Timeout.within ?seconds:timeout ~is_limit (fun s ->
      let change = change_account ?heap ?allocated s in
      Interruptible.within change f)

let check_words words = if words < 0 then invalid_arg "Drover.Scope.limited: fewer than 0 words"

let limited ?timeout ?heap ?allocated f =
  Option.iter check_words heap;
  Option.iter check_words allocated;
  Option.iter (Timeout.check_seconds "limited") timeout;
  within ?timeout ?heap ?allocated f
