(* Standstill.

   While the main thread is parked, it looks up every second. Nothing can end its wait if

   1. no timer is set, and no descriptor is waited for;
   2. no signal has a handler;
   3. each other thread waits on a private futex, without a time limit, and has not been run since the last look. So
      only a thread of this process can wake it.

   OCaml's ticks are threads, too: they wake up twenty times a second, and only have others give way.

   Linux tells the third in /proc/self/task/*/syscall: the number of the system call, and its arguments. Where it
   does not, nothing is said. *)

(* On x86-64, and where newer systems agree, as on ARM64. What has such a number on the other kind does not block. *)
let futex = [ "202"; "98" ]
let clock_nanosleep = [ "230"; "115" ]

(* FUTEX_WAIT and FUTEX_WAIT_BITSET, with FUTEX_PRIVATE_FLAG. *)
let private_waits = [ "0x80"; "0x89"; "0x189" ]

(* But for those that nobody can block. *)
let are_all_blocked digits =
  match Int64.of_string_opt ("0x" ^ digits) with
  | Some bits -> Int64.logor bits 0x780040100L = -1L
  | None -> false

(* Another thread, and how often it was taken off its processor. *)
type thread = { id : string; ticks : bool; switches : int }

let status file =
  let field line =
    match String.split_on_char '\t' line with [ name; value ] -> Some (name, value) | _ -> None
  in
  let fields = List.filter_map field (String.split_on_char '\n' (System.read file)) in
  fun name -> Option.value (List.assoc_opt name fields) ~default:""

(* [None] if it may go on by itself. *)
let look_at id =
  let folder = "/proc/self/task/" ^ id in
  let status = status (folder ^ "/status") in
  let thread ticks =
    let count kind = int_of_string_opt (status (kind ^ "_ctxt_switches:")) in
    match (count "voluntary", count "nonvoluntary") with
    | Some a, Some b -> Some { id; ticks; switches = a + b }
    | _ -> None
  in
  match String.split_on_char ' ' (System.read (folder ^ "/syscall")) with
  | call :: _ :: operation :: _ :: "0x0" :: _
    when List.mem call futex && List.mem operation private_waits ->
      thread false
  | call :: "0x0" :: "0x0" :: _ :: "0x0" :: _
    when List.mem call clock_nanosleep && are_all_blocked (status "SigBlk:") ->
      thread true
  | _ -> None

(* [None] if one of them may. *)
let look_at_others () =
  let add found id =
    Option.bind found (fun found -> Option.map (fun t -> t :: found) (look_at id))
  in
  match Sys.readdir "/proc/self/task" with
  | all ->
      let own = string_of_int (Unix.getpid ()) in
      Array.fold_left add (Some []) (Array.of_list (List.filter (( <> ) own) (Array.to_list all)))
  | exception Sys_error _ -> None

let has_only_waited before now =
  before.id = now.id && before.ticks = now.ticks
  && if now.ticks then now.switches >= before.switches + 2 else now.switches = before.switches

let tell () =
  Debug.say
    (Printf.sprintf
       "the program stands still: every thread waits, and no timer, no descriptor and no signal \
        can end that. The main thread waits%s\n\
        DROVER_DEBUG=1 shows what waits for what; DROVER_DEBUG=0 silences this."
       (Debug.describe_here ()))

(* When the main thread looked last, and what it saw. *)
let seen_at = ref neg_infinity
let seen = ref None
let is_told = ref false

let look () =
  let now = System.now () in
  if (not !is_told) && now -. !seen_at > 0.9 then begin
    let before = !seen in
    seen_at := now;
    seen := if Poller.is_waited_for () then None else look_at_others ();
    match (before, !seen) with
    | Some before, Some now when List.equal has_only_waited before now && Signals.handled () = [] ->
        is_told := true;
        tell ()
    | _ -> ()
  end

let () = if not (Debug.is_on || Debug.is_silent) then Parker.on_glance look
