(* Stands for the workers: one, whose task every process is part of, if any. *)

type team = { name : string }

type t = {
  team : team;
  context : Context.t;
  attention : unit -> unit;
  deque : Job.t Deque.t;
  in_section : bool;
  in_job : bool;
  mutable stack_id : int;
}

let current : t option ref = ref None
let mine () = !current
let here () = Option.get !current
let deque_for w ~urgent:(_ : bool) = w.deque
let next_wait _ = 0
let empty_hand _ = ()
let team = { name = "one" }

let nobody =
  {
    team;
    context = Context.none;
    attention = (fun () -> ());
    deque = Runs;
    in_section = true;
    in_job = true;
    stack_id = 0;
  }

let adopt (_ : t) (_ : Context.t) = ()
let create token = { nobody with context = { Context.none with token } }
