(* Shuffle: schedules by a seed.

   Whatever may go first is put behind all that the pool has to do, by a coin, and by another again when its turn comes:
   a side of a fork, an iteration, a task, a wait that is over. So each order of what is ready is that of some seed. With
   one domain the coins decide alone, as slices do not end by the clock, and as long as the program asks neither the time
   nor the system; with several, what would go first is held up for a moment.

   PCT (Burckhardt et al., ASPLOS 2010) and CHESS (Musuvathi et al., OSDI 2008) choose their schedules at each access to
   memory. Here nothing is preempted: what needs that is a race, and has been found. *)

let seed = ref 0
let tossed = Atomic.make 0

(* The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), in 63 bits. *)
let mix z =
  let z = z lxor (z lsr 30) * 0x3F58476D1CE4E5B9 in
  let z = z lxor (z lsr 27) * 0x14D049BB133111EB in
  z lxor (z lsr 31)

let toss () = mix ((!seed * 0x1E3779B97F4A7C15) + Atomic.fetch_and_add tossed 1)
let coin ~one_in = toss () land (one_in - 1) = 0

let hold_up () =
  for _ = 1 to 1 lsl (toss () land 15) do
    Domain.cpu_relax ()
  done

(* Below what it has begun, its forks and the rest of its loops, or behind all that the pool has to do. *)
let put_off (w : Worker.t) =
  let t = Waiter.of_task w in
  if coin ~one_in:2 then Deque.push w.deque (Waiter.rest t)
  else Team.add_outside w.team ~urgent:w.context.urgent (Waiter.rest t);
  Open_loops.give_all w ~behind:false;
  ignore (Wait.suspend t : bool)

let rec give_way ~one_in =
  if coin ~one_in then
    match Worker.mine () with
    | Some w when Wait.can_wait () ->
        Section.run put_off w;
        give_way ~one_in:2
    | Some _ | None -> ()

let turn_on chosen ~domains =
  seed := chosen;
  let several = domains > 1 in
  let point ~one_in = if not several then give_way ~one_in else if coin ~one_in then hold_up () in
  let begun f () =
    point ~one_in:2;
    f ()
  in
  (* A loop may have millions of iterations, so these are put off often with some seeds and seldom with others. *)
  let one_in = 1 lsl (2 * (chosen land 3)) in
  let iteration f =
    point ~one_in;
    f ()
  in
  let loop ~combines:_ _ within f run =
    run (within { Hooks.iteration; combine = (fun f -> f ()) } f)
  and fork both w f g = both w (begun f) (begun g)
  and wait _ _ suspend x =
    let v = suspend x in
    point ~one_in:2;
    v
  in
  Hooks.installed :=
    {
      !Hooks.installed with
      task = begun;
      fork;
      loop = Some { around = loop };
      wait = Some { wait };
      shortcuts = false;
      private_forks = 0;
      least_workers = 1 lsl (toss () land 3);
      pool_size = Some domains;
      alone =
        (if several then None
         else
           Some
             "as drover race runs all on one: programs with the main loop of Lwt or Eio need \
              --domains 2");
      timed = several;
    }
