(* Debug: what is kept and said when the environment variable DROVER_DEBUG is 1.

   Every wait stands in a list, with the place in the program where it is, from its beginning until
   somebody ends it. [Watch] looks at the list, and at the workers. *)

let is_on = Sys.getenv_opt "DROVER_DEBUG" = Some "1"
let say text = Printf.eprintf "drover: %s\n%!" text

(* Places *)

let most_frames = 64
let shown_frames = 8

let is_own name =
  let is_of library = String.starts_with ~prefix:(library ^ "__") name in
  is_of "Drover" || is_of "Stdlib"

(* The program's own frames, innermost first; or all, if calls in tail position have left none. *)
let lines place =
  let slots = Option.fold ~none:[] ~some:Array.to_list (Printexc.backtrace_slots place) in
  let name slot = Option.value (Printexc.Slot.name slot) ~default:"" in
  let line slot =
    let at { Printexc.filename; line_number; _ } =
      Printf.sprintf "\n    %s (%s:%d)" (name slot) filename line_number
    in
    Option.map at (Printexc.Slot.location slot)
  in
  let shown slots = List.take shown_frames (List.filter_map line slots) in
  match shown (List.filter (fun slot -> not (is_own (name slot))) slots) with
  | [] -> String.concat "" (shown slots)
  | lines -> String.concat "" lines

(* Waits *)

module By_id = Map.Make (Int)

type wait = {
  what : string; (* a task of which pool, or a thread *)
  is_thread : bool;
  holds : string list; (* mutexes *)
  place : Printexc.raw_backtrace;
}

let waits : wait By_id.t Atomic.t = Atomic.make By_id.empty
let ids = Atomic.make 0

let rec update f =
  let before = Atomic.get waits in
  if not (Atomic.compare_and_set waits before (f before)) then update f

(* Enters a wait into the list; the result takes it out. *)
let enter wait =
  let id = Atomic.fetch_and_add ids 1 in
  update (By_id.add id wait);
  fun () -> update (By_id.remove id)

let describe wait =
  let holding =
    match wait.holds with [] -> "" | names -> ", with " ^ String.concat ", " names ^ ","
  in
  wait.what ^ holding ^ " waits at" ^ lines wait.place

(* A million tasks may wait at one place. *)
let list_waits () =
  let count counts wait =
    let text = describe wait in
    match List.assoc_opt text counts with
    | Some n -> (text, n + 1) :: List.remove_assoc text counts
    | None -> (text, 1) :: counts
  in
  let counts = By_id.fold (fun _ wait counts -> count counts wait) (Atomic.get waits) [] in
  let line (text, n) = Printf.sprintf "\n  %d times: %s" n text in
  String.concat "" (List.rev_map line counts)

let told = Atomic.make []

(* Once for each place. *)
let rec tell_of_holding wait =
  let text = "a task suspends while it holds a mutex: " ^ describe wait in
  let before = Atomic.get told in
  if not (List.mem text before) then
    if Atomic.compare_and_set told before (text :: before) then say text else tell_of_holding wait

(* The wait of a task that holds these mutexes, or of a thread. [register] is as in [Task.wait]. *)

let listed wait register =
  if wait.holds <> [] then tell_of_holding wait;
  fun resume ->
    let leave = enter wait in
    register (fun () ->
        leave ();
        resume ())

let here () = Printexc.get_callstack most_frames

let task ~pool ~holds register =
  listed { what = "a task of " ^ pool; is_thread = false; holds; place = here () } register

let of_thread () = { what = "a thread outside"; is_thread = true; holds = []; place = here () }
let thread register = listed (of_thread ()) register
let enter_thread () = enter (of_thread ())

(* Somebody outside waits, so the program expects something of its tasks. *)
let is_awaited () = By_id.exists (fun _ wait -> wait.is_thread) (Atomic.get waits)

(* The calling task has held its worker for long. *)
let tell_of_delay ~pool ~worker =
  say
    (Printf.sprintf "a task has kept worker %d of %s from other work for over a second, at%s" worker
       pool
       (lines (here ())))
