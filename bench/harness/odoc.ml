(* A hyphen would begin a list. *)
let none = "—"

let table header rows =
  let cell kind text = Printf.sprintf "{%s %s}" kind text in
  let line kind cells = "{tr " ^ String.concat " " (List.map (cell kind) cells) ^ "}\n" in
  "{table\n" ^ String.concat "" (line "th" header :: List.map (line "td") rows) ^ "}\n"
