(* Stands for the workers: one, whose task every process is part of, if any. *)

type lock = Free | Giving | Seized

type loop = {
  mutable next : int;
  mutable stop : int;
  mutable until : int;
  mutable is_long : bool;
  mutable parts : parts;
  mutable offer : Job.t; [@atomic]
  mutable lock : lock; [@atomic]
  grain : int;
  left : int Atomic.t;
  body : was_offer:bool -> int -> int -> unit;
}

and parts = No_part | Part of { job : Job.t; behind : int; others : parts }

type team = { name : string; inbox : unit; urgent_inbox : unit; put_off : unit }
type slice = { mutable has_woken : bool; mutable skip : int }

type t = {
  team : team;
  mutable loops : loop list;
  mutable woke : float;
  mutable hand : Job.t;
  urgent : Job.t Deque.t;
  context : Context.t;
  attention : unit -> unit;
  deque : Job.t Deque.t;
  in_section : bool;
  in_job : bool;
  mutable stack_id : int;
  slice : slice;
  mutable limit : int;
  sp : int;
  mutable to_look : bool;
}

let current : t option ref = ref None
let mine () = !current
let here () = Option.get !current
let deque_for w ~urgent:(_ : bool) = w.deque
let next_wait _ = 0
let empty_hand _ = ()
let pick_up w job = w.hand <- job
let pass_point _ = ()
let asked = min_int
let alerted = min_int + 2
let ask_loop loop = loop.until <- asked
let team = { name = "one"; inbox = (); urgent_inbox = (); put_off = () }

let nobody =
  {
    team;
    loops = [];
    woke = 0.;
    hand = Job.none;
    urgent = Runs;
    context = Context.none;
    attention = (fun () -> ());
    deque = Runs;
    in_section = true;
    in_job = true;
    stack_id = 0;
    slice = { has_woken = false; skip = 0 };
    limit = 0;
    sp = 0;
    to_look = false;
  }

let adopt (_ : t) (_ : Context.t) = ()

let create token =
  { nobody with context = { Context.none with token }; loops = []; to_look = false }
