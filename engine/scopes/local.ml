type 'a t = 'a Bindings.key

let create = Bindings.key

let get key =
  match Bindings.find key (Task.context ()).locals with Some v -> v | None -> Bindings.default key

let with_value key v f =
  let bind (outer : Context.t) = { outer with locals = Bindings.add key v outer.locals } in
  Pool.inside (fun () -> Extent.within bind f)
