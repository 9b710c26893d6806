(* Stands for the workers: one, whose task every process is part of, if any. *)

type team = { mutable added : Job.t list }

type t = {
  team : team;
  busy : bool;
  context : Context.t;
  attention : unit -> unit;
  deque : Job.t Deque.t;
}

let current : t option ref = ref None
let mine () = !current
let here () = Option.get !current
let deque_for w ~urgent:(_ : bool) = w.deque

let create token =
  let context = { Context.none with token } in
  { team = { added = [] }; busy = false; context; attention = ignore; deque = ref [] }
