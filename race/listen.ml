(* Listen.

   The engine divides loops as far as it can and hides no fork, in pools of one worker, which is a thread that waits. A
   strand runs from one hook to the next; between them, the scheduler does, and the current strand is [Order.nobody].

   Nothing is recorded while nothing is open, neither a fork or a loop nor a task, and the current strand knows all: what
   is done then is in no race with what was before, nor with what comes later. *)

open Order

(* How many forks and loops, and how many tasks. *)
let opened = ref 0
let tasks = ref 0

let begin_recording count =
  incr count;
  Sync.is_recording := true

let look () =
  if !opened = 0 && !tasks = 0 && !Sync.is_recording && Order.knows_all () then begin
    Sync.is_recording := false;
    Shadow.forget ();
    Sync.forget ()
  end

(* What begins outside of all is begun by the main program. *)
let ensure_current () = if not (Order.is_current ()) then current := main ()

let finally f finish =
  match f () with
  | v ->
      finish ();
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      finish ();
      Printexc.raise_with_backtrace exn backtrace

(* A loop that combines is a tree of forks, which the loop's call begins: its site, where one is open; or 0. *)
let loop_site = ref 0
let site () = if !loop_site <> 0 then !loop_site else !Sites.here

let with_loop_site site f =
  let before = !loop_site in
  loop_site := site;
  finally f (fun () -> loop_site := before)

let run_member group f =
  let s = member group in
  finally (fun () -> run s f) (fun () -> ended group s)

(* [f] with a new group of the current strand, which goes on after it. *)
let with_group f =
  ensure_current ();
  let s = !current and site = site () and in_loop = !loop_site in
  let group = split site in
  begin_recording opened;
  finally
    (fun () -> f group)
    (fun () ->
      join group s;
      loop_site := in_loop;
      decr opened;
      look ())

let fork both w f g =
  let in_loop = !loop_site in
  let side group f () =
    loop_site := in_loop;
    run_member group f
  in
  with_group (fun group -> both w (side group f) (side group g))

let divided ~combines within f run =
  if combines then begin
    let outside f = with_loop_site 0 f in
    let within = within { Hooks.iteration = outside; combine = outside } f in
    with_loop_site (site ()) (fun () -> run within)
  end
  else
    with_group (fun group ->
        let iteration f =
          loop_site := 0;
          run_member group f
        in
        run (within { Hooks.iteration; combine = iteration } f))

(* Outside of a task, the call is one first: so the strand that splits is the one that goes on. *)
let loop ~combines _ within f run =
  match Worker.mine () with
  | Some _ -> divided ~combines within f run
  | None -> Pool.inside (fun () -> divided ~combines within f run)

(* [f] on top of a strand that waits, or where none runs. *)
let aside f =
  let in_loop = !loop_site in
  let s = pause () in
  finally f (fun () ->
      go_on s;
      loop_site := in_loop)

let task body =
  ensure_current ();
  let way = call_from (site ()) in
  let start = mark () in
  begin_recording tasks;
  fun () ->
    aside (fun () ->
        loop_site := 0;
        finally (fun () -> run (begin_task start way) body) (fun () -> decr tasks))

(* The task of which this is the body does what the caller would do, which waits. So it is none that is open. *)
let in_place f =
  ensure_current ();
  let caller = !current in
  fun () ->
    stand_for caller;
    decr tasks;
    look ();
    finally f (fun () -> incr tasks)

type Hooks.mark += Paused of strand | At of mark

let resume here waker =
  (match here with Paused s -> go_on s | _ -> ());
  match waker with At m when Order.is_current () -> learn m | _ -> ()

let pass () = if Order.is_current () then At (mark ()) else Hooks.no_mark

let meet = function
  | At m when Order.is_current () ->
      learn m;
      look ()
  | _ -> ()

let ended cell = function At m -> Sync.give_mark (Address.block cell) m | _ -> ()

let gathered cell =
  Sync.take (Address.block cell);
  look ()

(* Whoever closes a pool has waited for its tasks. Where others had ended that nobody awaited, of another pool, these
   count as known, too. *)
let pool_closed () =
  if !opened = 0 && !tasks = 0 && Order.is_current () then begin
    Order.learn_all ();
    look ()
  end

let has_threads = ref false

let turn_on () =
  current := main ();
  let before = !Hooks.installed in
  let pool_close team =
    before.pool_close team;
    pool_closed ()
  in
  Hooks.installed :=
    {
      before with
      task;
      in_place;
      fork;
      loop = Some { around = loop };
      suspend = Some (fun () -> Paused (pause ()));
      resume = Some resume;
      pass = Some pass;
      meet;
      ended;
      gathered = Some gathered;
      aside;
      pool_close;
      shortcuts = false;
      private_forks = 0;
      pool_size = Some 1;
      finest = true;
      timed = false;
      alone =
        Some
          "as drover race runs all on one: it cannot check programs with the main loop of Lwt or \
           Eio";
    }

let refuse why =
  prerr_endline ("drover race: " ^ why);
  exit 2
