(* Turnstile.

   Whoever comes by takes a free permit. With none it spins for a while, then gets in line, and
   waits. Who gives a permit back makes it free and calls the first in line to come and take it,
   which stays in line meanwhile, and waits again if it comes too late. When others have gone
   before it often enough, or for long, the next permit is given to it.

   In line, a state is

     Running --> Waiting w --call--> Called --too late--> Running
     Running, Waiting w, Called --give--> Given
     any state --> Gone, when it leaves

   Whoever gives or leaves looks after the line then ([tidy]): wakes the first if a permit was
   given to it, or if one is free. So while a permit is free, nobody in line waits without
   having been called. *)

type state =
  | Running
  | Waiting of Waiter.t
  | Called
  | Given of state
  (* what it was before *)
  | Gone

type who = {
  state : state Atomic.t;
  mutable since : float;
  mutable passed : int; (* how often others went before it; a race does no harm *)
}

type t = who Permits.t

(* In seconds, and in turns: far less than anybody notices. A line shares it, so that nobody in it
   waits for longer; but each has more than it takes to come. *)
let patience = 0.005
let time_to_come = 0.00005
let most_turns = 10_000
let least_turns = 1_000

(* Counts from when it was first passed: were it from when it got in line, then in a long line all
   would be overdue, and no permit would ever be free. *)
let is_overdue (t : t) who =
  let waiting = Permits.waiting t in
  who.passed >= Int.max least_turns (most_turns / waiting)
  || who.passed > 0
     && Clock.now () -. who.since > Float.max time_to_come (patience /. float waiting)
  || begin
    if who.passed = 0 then who.since <- Clock.now ();
    who.passed <- who.passed + 1;
    false
  end

let[@poll error] give who before after (hand : Permits.hand) =
  Atomic.compare_and_set who.state before after
  && begin
    hand.held <- hand.held - 1;
    true
  end

(* Puts all permits in [hand] somewhere, but for [keep]; or those that there is room for. *)
let rec hand_out (t : t) (hand : Permits.hand) ~keep =
  if hand.held > keep then
    match Permits.first t with
    | Some ({ who; _ } as place) when is_overdue t who ->
        (match Atomic.get who.state with
        | Given _ | Gone -> Permits.leave t place
        | before -> ignore (give who before (Given before) hand : bool));
        hand_out t hand ~keep
    | Some _ | None -> if Permits.put t hand then hand_out t hand ~keep

(* Idempotent: it wakes first, and then notes that it did. *)
let rec tidy (t : t) =
  match Permits.first t with
  | None -> ()
  | Some ({ who; _ } as place) -> (
      match Atomic.get who.state with
      | (Gone | Given _) as state ->
          (match state with Given (Waiting w) -> ignore (Waiter.wake w : bool) | _ -> ());
          Permits.leave t place;
          tidy t
      | Waiting w as before when Permits.free t > 0 ->
          ignore (Waiter.wake w : bool);
          ignore (Atomic.compare_and_set who.state before Called : bool)
      | Running | Waiting _ | Called -> ())

let leaving (t : t) on_leave (hand : Permits.hand) () =
  if hand.held > 0 then begin
    on_leave ();
    hand_out t hand ~keep:0
  end;
  tidy t

let leave_line t on_leave =
  let hand = { Permits.held = 1 } in
  let step = leaving t on_leave hand in
  Critical.reserve_stack ();
  Critical.finish step;
  hand.held = 0

let leave (t : t) =
  match Permits.release t with Kept -> true | Too_many -> false | Contended -> leave_line t ignore

(* Waiting *)

(* First the one and then the look; pairs with [Permits.put] and [tidy]. *)
let await_call (t : t) who waiter =
  Waiter.hurry waiter;
  if (not (Atomic.compare_and_set who.state Running (Waiting waiter))) || Permits.free t > 0 then
    ignore (Waiter.wake waiter : bool)

let is_given who = match Atomic.get who.state with Given _ -> true | _ -> false

let rec await_turn wait (t : t) who hand =
  wait (await_call t who);
  (match Atomic.get who.state with
  | Waiting _ as before -> ignore (Atomic.compare_and_set who.state before Called : bool)
  | _ -> ());
  if not (is_given who || Spin.until (fun () -> is_given who || Permits.take t hand)) then begin
    ignore (Atomic.compare_and_set who.state Called Running : bool);
    await_turn wait t who hand
  end

let[@poll error] go who (hand : Permits.hand) =
  match Atomic.exchange who.state Gone with
  | Given _ -> hand.held <- hand.held + 1
  | Running | Waiting _ | Called | Gone -> ()

let out_of_line (t : t) place hand ~keep () =
  go place.Line.who hand;
  Permits.leave t place;
  hand_out t hand ~keep;
  tidy t

let wait_in_line wait (t : t) =
  let who = { state = Atomic.make Running; since = 0.; passed = 0 } in
  let place = Line.place who and hand = { Permits.held = 0 } in
  let come_through = out_of_line t place hand ~keep:1
  and give_up = out_of_line t place hand ~keep:0 in
  Critical.reserve_stack ();
  match
    Permits.join t place hand;
    if hand.held = 0 then await_turn wait t who hand;
    Critical.finish come_through
  with
  | () -> ()
  | exception exn -> Critical.raise_after give_up () exn

let enter_late wait (t : t) =
  if not (Spin.until (fun () -> Permits.try_acquire t)) then wait_in_line wait t

let[@inline] enter_by wait (t : t) = if not (Permits.try_acquire t) then enter_late wait t
let[@inline] enter t = enter_by Wait.wait t

(* The caller is inside. Nothing keeps it from leaving: [leave] was made before it entered, and there
   is room for it on the stack. *)
let leave_line_now (t : t) (hand : Permits.hand) leave =
  match Permits.release t with
  | Kept -> ()
  | Too_many | Contended | (exception _) ->
      hand.held <- 1;
      Critical.finish leave

let[@inline] leave_now (t : t) on_leave (hand : Permits.hand) leave =
  on_leave ();
  if not (Permits.release_only t) then leave_line_now t hand leave

let[@inline] between wait (t : t) ~on_enter ~on_leave f =
  let hand = { Permits.held = 0 } in
  let leave = leaving t on_leave hand in
  Critical.reserve_stack ();
  enter_by wait t;
  on_enter ();
  match f () with
  | v ->
      leave_now t on_leave hand leave;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      leave_now t on_leave hand leave;
      Printexc.raise_with_backtrace exn backtrace

type sole = { turnstile : t; mutable inside : int }

let sole () = { turnstile = Permits.create ~most:1 1; inside = Hold.nobody }

(* A race does no harm: only the caller itself writes its own number. A fiber of a host that comes
   again waits for itself. *)
let within caller s f =
  let me = Task.number () in
  if s.inside = me && Task.is_told_apart () then
    invalid_arg ("Drover." ^ caller ^ ": called from within its own call");
  between Wait.wait s.turnstile f
    ~on_enter:(fun () -> s.inside <- me)
    ~on_leave:(fun () -> s.inside <- Hold.nobody)
