(* The alternate screen of a terminal, without a cursor, and without lines that wrap. *)

let enter = "\027[?1049h\027[?25l\027[?7l"
let leave = "\027[?7h\027[?25h\027[?1049l"

let write text =
  output_string stdout text;
  flush stdout

(* Without waiting for a whole line, or showing it. Ctrl-C is a signal still. *)
let read_keys () =
  match Unix.tcgetattr Unix.stdin with
  | exception Unix.Unix_error _ -> ignore
  | before ->
      let set terminal = Unix.tcsetattr Unix.stdin TCSANOW terminal in
      set { before with c_icanon = false; c_echo = false; c_vmin = 0; c_vtime = 0 };
      fun () -> set before

let key () =
  let byte = Bytes.create 1 in
  let is_there = Unix.isatty Unix.stdin && Unix.read Unix.stdin byte 0 1 = 1 in
  if is_there then Some (Bytes.get byte 0) else None

(* "24 80"; there is no function for it in OCaml's library. *)
let height () =
  let read ic = Scanf.sscanf_opt (In_channel.input_all ic) "%d" Fun.id in
  let ic = Unix.open_process_in "stty size 2>/dev/null" in
  let rows = try read ic with Sys_error _ -> None in
  ignore (Unix.close_process_in ic : Unix.process_status);
  match rows with Some rows when rows > 0 -> rows | Some _ | None -> 24

type t = { mutable rows : int; mutable is_resized : bool }

let show t text =
  if t.is_resized then begin
    t.is_resized <- false;
    t.rows <- height ()
  end;
  let lines = String.split_on_char '\n' text in
  let fitting = List.take (t.rows - 1) lines in
  write ("\027[H" ^ String.concat "" (List.map (fun line -> line ^ "\027[K\n") fitting) ^ "\027[J")

let use f =
  let t = { rows = height (); is_resized = false } in
  let keys = ref ignore in
  let set_up () =
    keys := read_keys ();
    write enter
  and restore () =
    write leave;
    !keys ()
  in
  (* Ctrl-Z *)
  let stop _ =
    restore ();
    Unix.kill (Unix.getpid ()) Sys.sigstop;
    set_up ()
  in
  let handle signal f = (signal, Sys.signal signal (Signal_handle f)) in
  let before = [ handle Sys.sigtstp stop; handle Sys.sigwinch (fun _ -> t.is_resized <- true) ] in
  let finally () =
    List.iter (fun (signal, behaviour) -> Sys.set_signal signal behaviour) before;
    restore ()
  in
  set_up ();
  Fun.protect ~finally (fun () -> f t)
