type t = { title : string; notes : string list; header : string list; rows : string list list }

(* Widths count bytes: cells are ASCII. No line ends in blanks. *)
let widths t =
  let widen ws row = List.map2 (fun w cell -> max w (String.length cell)) ws row in
  List.fold_left widen (List.map String.length t.header) t.rows

let pad_right width s = s ^ String.make (width - String.length s) ' '
let pad_left width s = String.make (width - String.length s) ' ' ^ s

let rec trim_end s =
  if String.ends_with ~suffix:" " s then trim_end (String.sub s 0 (String.length s - 1)) else s

let line widths row =
  let cell i (width, s) = if i = 0 then pad_right width s else pad_left width s in
  trim_end ("  " ^ String.concat "  " (List.mapi cell (List.combine widths row)))

let pp ppf t =
  let widths = widths t in
  let rule = List.map (fun w -> String.make w '-') widths in
  Fmt.pf ppf "%a@." Fmt.(styled `Bold string) t.title;
  List.iter (Fmt.pf ppf "  @[%a@]@." Fmt.text) t.notes;
  List.iter (fun row -> Fmt.pf ppf "%s@." (line widths row)) (t.header :: rule :: t.rows);
  Fmt.pf ppf "@."
