(* Local: task-local values, as the user sees them. *)

type 'a t = 'a Locals.key

let create = Locals.key

let get key =
  match Locals.find key (Task.context ()).locals with Some v -> v | None -> Locals.default key

let with_value key v f =
  Pool.inside (fun () ->
      let context = Task.context () in
      Worker.within { context with locals = Locals.add key v context.locals } f)
