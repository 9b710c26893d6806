(* Profile.

   Its hooks let no fork be private (see [Fork_stack.set_limit]): so all are seen on the slow path, and a
   fork costs nothing when nobody measures. *)

include Strand

let cores = 128

(* What is inside the call of which this is a part, the caller's strand being [here]. *)
let inside here =
  let site = Option.value (Call_site.find ()) ~default:here.site in
  let s = state () in
  s.calls <- add site 1 s.calls;
  { here with site }

(* Forks, loops, tasks *)

let fork both f g =
  let here = stop () in
  let from = inside here in
  let left = ref from and right = ref from in
  let go_on () = start { (join !left !right) with site = here.site } in
  Fun.protect ~finally:go_on (fun () ->
      both (fun () -> strand from (( := ) left) f) (fun () -> strand (burden from) (( := ) right) g))

(* A loop that is over before a thief could help is not offered (see [Run]). *)
type loop = {
  from : stamp;
  mutable upto : stamp;
  mutable in_turn : int; (* the burdened spans of the iterations, one after the other *)
  mutable combines : int;
  mutable combining : int; (* nanoseconds *)
}

let rec log2 n = if n <= 1 then 0 else 1 + log2 ((n + 1) / 2)

let iteration loop f =
  let until at =
    loop.upto <- join loop.upto at;
    loop.in_turn <- loop.in_turn + at.burdened - loop.from.burdened
  in
  strand loop.from until f

let combine loop f =
  let until at =
    loop.combines <- loop.combines + 1;
    loop.combining <- loop.combining + at.span - loop.from.span
  in
  strand loop.from until f

let after_loop loop ~depth here =
  let { span; burdened; path; _ } = loop.upto in
  let time = depth * loop.combining / Int.max 1 loop.combines in
  let in_turn = here.burdened + loop.in_turn + loop.combining in
  {
    site = here.site;
    span = span + time;
    burdened = Int.min in_turn (burdened + time);
    path = add loop.from.site time path;
  }

let loop n f =
  let here = stop () in
  let depth = log2 n in
  let from = burden ~times:depth (inside here) in
  let loop = { from; upto = from; in_turn = 0; combines = 0; combining = 0 } in
  Fun.protect (fun () -> f loop) ~finally:(fun () -> start (after_loop loop ~depth here))

(* Another worker takes it, or it runs on top of one that waits for it. *)
let task body =
  let here = pass () in
  let from = burden (inside here) in
  fun () ->
    aside (fun () ->
        strand from
          (fun at ->
            let s = state () in
            s.latest <- join s.latest at)
          body)

(* It is in the caller's place, and not counted in that of its own, where it has just begun. *)
let in_place f =
  let here = pass () in
  fun () ->
    let s = state () in
    s.calls <- add s.here.site (-1) s.calls;
    start here;
    f ()

(* From the start to the end *)

(* The time that a strand takes in which nothing happens. *)
let calibrate () =
  let both f g =
    let a = f () in
    (a, g ())
  in
  let forks = 100 in
  let sample _ =
    start origin;
    for _ = 1 to forks do
      ignore (fork both ignore ignore : unit * unit)
    done;
    let work = (stop ()).path in
    Sites.fold (fun _ time sum -> time + sum) work 0 / (3 * forks)
  in
  cost_of_strand := 0;
  let samples = Array.init 25 sample in
  Array.sort Int.compare samples;
  cost_of_strand := samples.(12)

(* It sees a loop by the functions that this calls. *)
let hooked_loop n within f run =
  let hooks_of loop =
    { Hooks.iteration = (fun f -> iteration loop f); combine = (fun f -> combine loop f) }
  in
  loop n (fun loop -> run (within (hooks_of loop) f))

type Hooks.mark += At of stamp

let mark at = if at == origin then Hooks.no_mark else At at
let stamp = function At at -> at | _ -> origin

let hooks before =
  {
    before with
    Hooks.task;
    in_place;
    fork = (fun both w f g -> fork (both w) f g);
    loop = Some { around = hooked_loop };
    suspend = Some (fun () -> mark (stop ()));
    resume = Some (fun here waker -> start (join (stamp here) (stamp waker)));
    pass = Some (fun () -> mark (pass ()));
    meet = (fun at -> meet (stamp at));
    aside;
    shortcuts = false;
    private_forks = 0;
    least_workers = cores;
  }

let turn_on ~clock:c ~steal =
  clock := c;
  cost_of_steal := steal;
  states := Array.init 4096 (fun _ -> create ());
  Call_site.forget_all ();
  calibrate ();
  !states.(Domain.self_index ()) <- create ();
  Hooks.installed := hooks !Hooks.installed

type result = { last : stamp; work : tally; calls : tally }

let sum f =
  Array.fold_left (fun sum s -> Sites.union (fun _ a b -> Some (a + b)) sum (f s)) Sites.empty

(* What other domains write meanwhile, where a task that nobody awaits goes on, or one that has
   handed over its result comes to its end, is missed. *)
let result at =
  let all = !states in
  {
    last = Array.fold_left (fun at (s : state) -> join at s.latest) at all;
    work = sum (fun (s : state) -> s.work) all;
    calls = sum (fun (s : state) -> s.calls) all;
  }
