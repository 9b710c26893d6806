type limit = Account.limit = Heap of int | Allocated of int

exception Exceeded = Account.Exceeded

let change_account ?heap ?allocated s =
  match (heap, allocated) with
  | None, None -> Interruptible.allow
  | _ ->
      let outer = (Task.context ()).account in
      let account = Account.create ~outer ?heap ?allocated (Scope.cancel s) in
      fun context -> { (Interruptible.allow context) with account }

(* As in [Timeout], what has returned is the result. *)
let within ?timeout ?heap ?allocated f =
  let result = ref None in
  let body s =
    let timer = Option.map (Timeout.start s) timeout in
    Waiting.and_then
      (fun () -> Option.iter Poller.cancel timer)
      (fun () ->
        let change = change_account ?heap ?allocated s in
        result := Some (Interruptible.within change f))
  in
  match Scope.run body with
  | () -> Option.get !result
  | exception (Timeout.Timeout | Exceeded _) when Option.is_some !result -> Option.get !result

let check_words words = if words < 0 then invalid_arg "Drover.Scope.limited: fewer than 0 words"

let limited ?timeout ?heap ?allocated f =
  Option.iter check_words heap;
  Option.iter check_words allocated;
  Option.iter (Timeout.check_seconds "limited") timeout;
  within ?timeout ?heap ?allocated f
