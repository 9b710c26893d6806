(* Context: what the work in a task inherits from where it was started: whose cancellation ends it,
   and its local values. It changes with the dynamic extent of scopes and local values only. *)

type t = { token : Token.t; locals : Locals.t }

(* Of a worker between two tasks. *)
let none = { token = Token.root (); locals = Locals.empty }

(* Of a fork, and of the part of a loop: it starts where its maker is. *)
let fork parent = { parent with token = Token.fork parent.token }

(* Of a task that goes its own way, and of one that somebody waits for. *)
let independent parent = { parent with token = Token.root () }

let task parent =
  if parent == none then independent parent else { parent with token = Token.task parent.token }
