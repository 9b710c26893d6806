let until ~undo wait =
  match wait () with v -> v | exception exn -> Critical.raise_despite undo () exn

let and_then leave f =
  match f () with
  | v ->
      Critical.finish leave;
      v
  | exception exn -> Critical.raise_after leave () exn
