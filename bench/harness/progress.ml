type t = { shown : bool }

let on_terminal () = { shown = Unix.isatty Unix.stderr }
let erase = "\r\027[K"

let write t line =
  if t.shown then begin
    prerr_string (erase ^ line);
    flush stderr
  end

let report t what = write t ("... " ^ what)
let clear t = write t ""
