let thread f =
  let outcome = ref None in
  let run () = outcome := Some (match f () with v -> Ok v | exception e -> Error e) in
  let thread = Thread.create run () in
  fun () ->
    Thread.join thread;
    match Option.get !outcome with Ok v -> v | Error e -> raise e

let domain f =
  let domain = Domain.spawn f in
  fun () -> Domain.join domain

let expect what expected found = if expected <> found then failwith what
