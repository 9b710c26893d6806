(* Log: who did what, and when, for whoever listens: a timeline, or a developer who repeats a schedule. *)

open World

type what = Begins of string | Ends of string | Notes of string * int

type entry = {
  at : int;
  thread : int;
  domain : int; (* -1 if of none *)
  processor : int;
  what : what;
}

(* Like the faults of [Mutants], it is of the process, not of a run. *)
let listener : (entry -> unit) option ref = ref None

(* Of a domain, which may not be the thread's: a backup thread acts for another. *)
let tell_of (d : domain) what =
  match !listener with
  | None -> ()
  | Some listen ->
      let t = me () in
      (* What the listener allocates is no opportunity of a signal: so a strike comes where it came without a log. *)
      mask ();
      listen { at = t.time; thread = t.number; domain = d.index; processor = t.processor; what };
      unmask ()

let tell what = tell_of (me ()).domain what

let during name f =
  tell (Begins name);
  Fun.protect f ~finally:(fun () -> tell (Ends name))

let to_string { at; thread; domain; processor; what } =
  let what =
    match what with
    | Begins name -> name ^ " begins"
    | Ends name -> name ^ " ends"
    | Notes (name, n) -> Printf.sprintf "%s %d" name n
  in
  Printf.sprintf "%12.3f us  thread %d of domain %d on processor %d: %s"
    (float at /. 1e3)
    thread domain processor what
