let of_environment ~is_terminal getenv : Fmt.style_renderer =
  let is_set name = Option.value (getenv name) ~default:"" <> "" in
  let is_dumb = (not (is_set "TERM")) || getenv "TERM" = Some "dumb" in
  if is_terminal && (not is_dumb) && not (is_set "NO_COLOR") then `Ansi_tty else `None

let renderer fd = of_environment ~is_terminal:(Unix.isatty fd) Sys.getenv_opt

let set_up () =
  Fmt.set_style_renderer Fmt.stdout (renderer Unix.stdout);
  Fmt.set_style_renderer Fmt.stderr (renderer Unix.stderr)

(* From an escape to the letter that ends the sequence. *)
let strip text =
  let plain = Buffer.create (String.length text) and inside = ref false in
  let add c =
    if c = '\027' then inside := true
    else if !inside then inside := c <> 'm'
    else Buffer.add_char plain c
  in
  String.iter add text;
  Buffer.contents plain

let with_errors f =
  match renderer Unix.stderr with
  | `Ansi_tty -> f Format.err_formatter
  | `None ->
      let buffer = Buffer.create 256 in
      let result = f (Format.formatter_of_buffer buffer) in
      prerr_string (strip (Buffer.contents buffer));
      result
