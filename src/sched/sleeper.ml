(* Sleeper: one wait of a task or a thread, in two halves.

   Awake --fall_asleep resume--> Asleep --claim------> Woken
     |                             +------interrupt--> Interrupted
     +--claim------> Woken
     +--interrupt--> Interrupted

   Whoever waits makes a sleeper, puts it where those look who may end the wait, and only then falls
   asleep, with one step; if the wait has ended by then, it does not. So all that may raise comes
   before, in the code of whoever waits.

   The wait is ended in two halves too: the claim is one step, and whoever makes it resumes what was
   asleep. To resume twice does no harm, to forget it would: so the second half is finished in any
   case (see [Critical]). *)

type state = Awake | Asleep of (unit -> unit) | Woken | Interrupted

type t = {
  mutable state : state; [@atomic]
  mutable resume : unit -> unit; (* what was Asleep: once or more, never waits *)
  mutable home : Worker.team; (* of a task that is Asleep, else [no_team] *)
  mutable is_urgent : bool; (* others wait for what it is woken for *)
}

let no_team = Worker.nobody.team
let[@inline] create () = { state = Awake; resume = ignore; home = no_team; is_urgent = false }
let[@inline] state t = Atomic.Loc.get [%atomic.loc t.state]

let[@inline] is_over t =
  match state t with Woken | Interrupted -> true | Awake | Asleep _ -> false

let[@inline] step t before after = Atomic.Loc.compare_and_set [%atomic.loc t.state] before after

(* [false] if the wait is over: then the caller goes on at once. Allocates nothing. *)
let[@inline] fall_asleep t asleep = step t Awake asleep

(* Awake is left once, so there is no third try. *)

let[@inline] rouse t final =
  match state t with
  | Asleep resume as before ->
      step t before final
      && begin
        t.resume <- resume;
        true
      end
  | Awake | Woken | Interrupted -> false

let[@inline] leave_to t final = (state t == Awake && step t Awake final) || rouse t final

(* Each is one step. Whoever gets [true] calls [resume] then. *)
let[@poll error] claim t = leave_to t Woken
let[@poll error] interrupt_only t = leave_to t Interrupted

(* For a sleeper that the caller has claimed. *)
let[@inline] resume t = t.resume ()

let wake t =
  Critical.reserve_stack ();
  claim t
  && begin
    Critical.finish_with resume t;
    true
  end

let interrupt t =
  Critical.reserve_stack ();
  if interrupt_only t then Critical.finish_with resume t
