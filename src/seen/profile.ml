(* Profile.

   Its hooks let no fork be private (see [Fork_stack.set_limit]): so all are seen on the slow path, and a
   fork costs nothing when nobody measures. *)

open Strand

(* Forks and tasks *)

(* What a call costs beside what it does: the longest part is to find its site. *)
let cost_of_call = ref 0

(* Calls outside any other, as the borders of the code that does not fork. Such code lies on one chain,
   so it is enough to know how much there was before the call. *)
type border = { call : Call_site.t; work : int; span : int }

(* The first and the last. *)
let borders = ref None

(* What is inside the call of which this is a part, the caller's strand being [here]. *)
let inside here =
  let site = Option.value (Call_site.find ()) ~default:here.site in
  let s = state () in
  s.calls <- add site 1 s.calls;
  s.measuring <- s.measuring + !cost_of_call;
  if here.site == Call_site.outermost && site != here.site then begin
    let border = { call = site; work = Atomic.get outside; span = of_tally here.site here.path } in
    borders := Some (Option.fold !borders ~none:border ~some:fst, border)
  end;
  { here with site }

let fork both f g =
  let here = stop () in
  let from = inside here in
  let left_record, right_record = Recording.fork here.record in
  let left = ref from and right = ref from in
  let go_on () =
    Recording.end_fork here.record left_record right_record;
    start { (join !left !right) with site = here.site; record = here.record }
  in
  Fun.protect ~finally:go_on (fun () ->
      both
        (fun () -> strand { from with record = left_record } (( := ) left) f)
        (fun () -> strand { (burden from) with record = right_record } (( := ) right) g))

(* Another worker takes it, or it runs on top of one that waits for it. *)
let task body =
  let begin_task here = { (burden (inside here)) with record = Recording.task here.record } in
  let from = pass begin_task in
  let until at =
    let s = state () in
    s.latest <- join s.latest at
  in
  fun () -> aside (fun () -> strand from until body)

(* It is part of the caller's work, and no call of the site where it has just begun. *)
let in_place f =
  let here = pass Fun.id and borders_before = !borders in
  fun () ->
    let s = state () in
    s.calls <- add s.here.site (-1) s.calls;
    borders := borders_before;
    start here;
    f ()

(* It sees a loop by the functions that this calls. A loop that is over before a thief could help is
   not offered (see [Run]): so the burdened span is no longer than that of the iterations one after the
   other. *)
let loop ~combines:_ n within f run =
  let rec log2 n = if n <= 1 then 0 else 1 + log2 ((n + 1) / 2) in
  let here = stop () and depth = log2 n in
  let l = Steps.create (burden ~times:depth (inside here)) in
  let iteration f = Steps.step l ~combines:0 f
  and combine f = Steps.step l ~combines:1 f
  and go_on () =
    let at = Steps.finish l in
    Recording.end_loop here.record (Steps.recorded l);
    if n >= Cheap_loops.many then begin
      let s = state () in
      s.iterations <- add at.site (Steps.iterations l) s.iterations
    end;
    let { span; burdened; path; _ } = advance at (Steps.combining l ~depth) in
    let burdened = Int.min (here.burdened + Steps.in_turn l) burdened in
    start { site = here.site; span; burdened; path; record = here.record }
  in
  Fun.protect ~finally:go_on (fun () -> run (within { Hooks.iteration; combine } f))

(* From the start to the end *)

type Hooks.mark += At of stamp * Recording.event

let mark event at = if at == origin then Hooks.no_mark else At (at, event at.record)
let marked = function At (at, event) -> (at, event) | _ -> (origin, Recording.no_event)

(* [here] goes on with what was there at [mark]. *)
let go_on here mark =
  let at, event = marked mark in
  Recording.wait here.record event;
  start (join here at)

let hooks before =
  {
    before with
    Hooks.task;
    in_place;
    fork = (fun both w f g -> fork (both w) f g);
    loop = Some { around = loop };
    suspend = Some (fun () -> mark (fun _ -> Recording.no_event) (stop ()));
    resume = Some (fun here waker -> go_on (fst (marked here)) waker);
    pass = Some (fun () -> pass (mark Recording.signal));
    meet = (fun mark -> if (state ()).running then go_on (stop ()) mark);
    aside;
    shortcuts = false;
    private_forks = 0;
    least_workers = 128 (* more than there will be cores *);
  }

(* Sets what it costs to measure where nothing happens. *)
let calibrate origin =
  let in_turn f g =
    let a = f () in
    (a, g ())
  in
  let forks = 100 in
  let fork _ = ignore (fork in_turn ignore ignore : unit * unit) in
  let run () =
    start origin;
    List.iter fork (List.init forks Fun.id)
  in
  let strands _ =
    run ();
    (stop ()).span / (3 * forks)
  in
  let words _ =
    let before = Recording.words origin.record in
    ignore (strands () : int);
    (Recording.words origin.record - before) / (3 * forks)
  and calls _ =
    let began = !clock () in
    run ();
    (!clock () - began) / forks
  in
  List.iter (fun cost -> cost := 0) [ cost_of_strand; words_of_strand; cost_of_call ];
  words_of_strand := median words;
  cost_of_strand := median strands;
  cost_of_call := median calls;
  Steps.calibrate origin

let turn_on ?(records = false) ~clock:c ~steal () =
  let beginning () = if records then { origin with record = Recording.begin_ () } else origin in
  clock := c;
  cost_of_steal := steal;
  states := Array.init 4096 (fun _ -> create_state ());
  calibrate (beginning ());
  !states.(Domain.self_index ()) <- create_state ();
  Atomic.set outside 0;
  borders := None;
  Hooks.installed := hooks !Hooks.installed;
  beginning ()

type result = {
  last : stamp;
  work : tally;
  calls : tally;
  iterations : tally;
  measuring : int;
  borders : (border * border) option;
}

(* What other domains write meanwhile, where a task that nobody awaits goes on, or one that has
   handed over its result comes to its end, is missed. *)
let result at =
  let sum f =
    let add_state sum s = Sites.union (fun _ a b -> Some (a + b)) sum (f s) in
    Array.fold_left add_state Sites.empty !states
  in
  {
    last = Array.fold_left (fun at s -> join at s.latest) at !states;
    work = sum (fun (s : state) -> s.work);
    calls = sum (fun (s : state) -> s.calls);
    iterations = sum (fun (s : state) -> s.iterations);
    measuring = Array.fold_left (fun sum (s : state) -> sum + s.measuring) 0 !states;
    borders = !borders;
  }
