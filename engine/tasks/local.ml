type 'a t = 'a Locals.key

let create = Locals.key

let get key =
  match Locals.find key (Task.context ()).locals with Some v -> v | None -> Locals.default key

let with_value key v f =
  let bind (outer : Context.t) = { outer with locals = Locals.add key v outer.locals } in
  Pool.inside (fun () -> Extent.within bind f)
