type t = { shown : bool; mutable total : int; mutable done_ : int; mutable start : int (* ns *) }

let now_ns () = Int64.to_int (Mtime_clock.elapsed_ns ())
let on_terminal () = { shown = Unix.isatty Unix.stderr; total = 0; done_ = -1; start = 0 }
let erase = "\r\027[K"

let write t line =
  if t.shown then begin
    prerr_string (erase ^ line);
    flush stderr
  end

let begins t total =
  t.total <- total;
  t.done_ <- -1;
  t.start <- now_ns ()

let next t = t.done_ <- t.done_ + 1

(* The others take as long as those that have ended, on average. *)
let left t =
  if t.done_ < 1 then ""
  else
    let seconds = float (now_ns () - t.start) *. 1e-9 in
    let left = seconds *. float (t.total - t.done_) /. float t.done_ in
    if left < 90. then Printf.sprintf ", about %.0f s left" left
    else Printf.sprintf ", about %.0f min left" (left /. 60.)

let place t = Printf.sprintf "%d of %d%s: " (t.done_ + 1) t.total (left t)
let report t what = write t (place t ^ what)
let clear t = write t ""
