type 'a t = 'a Context.Locals.key

let create = Context.Locals.key
let get key = Context.Locals.get key (Task.context ()).locals

let with_value key v f =
  let bind (outer : Context.t) = { outer with locals = Context.Locals.add key v outer.locals } in
  Pool.inside (fun () -> Extent.within bind f)
