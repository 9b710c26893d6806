type mark = ..
type mark += No_mark

let no_mark = No_mark

type loop = { iteration : 'a. (unit -> 'a) -> 'a; combine : 'a. (unit -> 'a) -> 'a }

type around = {
  around : 'f 'r. combines:bool -> int -> (loop -> 'f -> 'f) -> 'f -> ('f -> 'r) -> 'r;
}

type wait = { wait : 'a 'b. string -> Hold.t option -> ('a -> 'b) -> 'a -> 'b }
type begins = { begins : is_fork:bool -> Context.Locals.t -> unit }

type t = {
  start : (Context.Locals.t -> Context.Locals.t) option;
  begins : begins option;
  task : 'a. (unit -> 'a) -> unit -> 'a;
  in_place : 'a. (unit -> 'a) -> unit -> 'a;
  fork :
    'w 'a 'b 'c.
    ('w -> (unit -> 'a) -> (unit -> 'b) -> 'c) -> 'w -> (unit -> 'a) -> (unit -> 'b) -> 'c;
  loop : around option;
  suspend : (unit -> mark) option;
  resume : (mark -> mark -> unit) option;
  pass : (unit -> mark) option;
  meet : mark -> unit;
  ended : unit Ivar.t -> mark -> unit;
  gathered : (unit Ivar.t -> unit) option;
  wait : wait option;
  aside : 'a. (unit -> 'a) -> 'a;
  call : (unit -> bool) -> exn -> unit;
  late : Worker.t -> unit;
  pool_open : Worker.team -> unit;
  pool_close : Worker.team -> unit;
  shortcuts : bool;
  private_forks : int;
  least_workers : int;
  pool_size : int option;
  finest : bool;
  timed : bool;
  alone : string option;
}

let none =
  {
    start = None;
    begins = None;
    task = Fun.id;
    in_place = Fun.id;
    fork = (fun both w f g -> both w f g);
    loop = None;
    suspend = None;
    resume = None;
    pass = None;
    meet = ignore;
    ended = (fun _ _ -> ());
    gathered = None;
    wait = None;
    aside = (fun f -> f ());
    call = (fun _ _ -> ());
    late = ignore;
    pool_open = ignore;
    pool_close = ignore;
    shortcuts = true;
    private_forks = max_int;
    least_workers = 1;
    pool_size = None;
    finest = false;
    timed = true;
    alone = None;
  }

let installed = ref none
let[@inline] start locals = match !installed.start with None -> locals | Some f -> f locals

let[@inline] begins ~is_fork locals =
  match !installed.begins with None -> () | Some { begins } -> begins ~is_fork locals

let[@inline] loop ~combines n within f run =
  match !installed.loop with None -> run f | Some { around } -> around ~combines n within f run

let[@inline] suspend () = match !installed.suspend with None -> no_mark | Some f -> f ()
let[@inline] resume here waker = match !installed.resume with None -> () | Some f -> f here waker
let[@inline] pass () = match !installed.pass with None -> no_mark | Some f -> f ()
let[@inline] meet mark = if mark != no_mark then !installed.meet mark
let[@inline] ended cell mark = if mark != no_mark then !installed.ended cell mark
let[@inline] gathered cell = match !installed.gathered with None -> () | Some f -> f cell

let[@inline] wait aim wanted suspend x =
  match !installed.wait with None -> suspend x | Some { wait } -> wait aim wanted suspend x
