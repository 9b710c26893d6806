type access = { is_write : bool; site : Sites.t; way : Order.way option }
type race = { earlier : access; later : access; mutable times : int }

let found : (Sites.t * Sites.t, race) Hashtbl.t = Hashtbl.create 16

let add earlier later =
  let pair = (Int.min earlier.site later.site, Int.max earlier.site later.site) in
  match Hashtbl.find_opt found pair with
  | Some race -> race.times <- race.times + 1
  | None -> Hashtbl.add found pair { earlier; later; times = 1 }

let count () = Hashtbl.length found
let forget () = Hashtbl.reset found
let pair race = (race.earlier.site, race.later.site)
let pairs () = Hashtbl.fold (fun _ race l -> pair race :: l) found []

let all () =
  let compare a b =
    match Int.compare b.times a.times with 0 -> compare (pair a) (pair b) | c -> c
  in
  List.sort compare (Hashtbl.fold (fun _ race l -> race :: l) found [])

(* The innermost call comes last. *)
let rec calls way =
  match way with None -> [] | Some { Order.call; above } -> calls above @ [ call ]

(* What both ways have in common leads to the call that makes them side by side, which is the last of it; or where
   they part at once, each has a call of its own. *)
let rec parted common a b =
  match (a, b) with x :: a, y :: b when x = y -> parted (Some x) a b | _ -> (common, a, b)

let kind access = if access.is_write then "write" else "read"

let position site =
  match Sites.place site with
  | None -> "the main program"
  | Some { file; line; column; _ } -> Printf.sprintf "%s:%d:%d" file line column

let what site = match Sites.place site with None -> "" | Some { what; _ } -> what
let call site = if what site = "" then position site else position site ^ ": " ^ what site

let print_race ppf { earlier; later; times } =
  let common, a, b = parted None (calls earlier.way) (calls later.way) in
  let print_access access way =
    Format.fprintf ppf "  %s at %s: %s@\n" (kind access) (position access.site) (what access.site);
    List.iter (fun site -> Format.fprintf ppf "    by way of %s@\n" (call site)) way
  in
  Format.fprintf ppf "Data race (%d time%s)@\n" times (if times = 1 then "" else "s");
  print_access earlier a;
  print_access later b;
  Format.fprintf ppf "  side by side %s@\n"
    (match common with
    | None -> "with the main program"
    | Some site -> "in what begins at " ^ call site)

let print ppf =
  let n = count () in
  List.iter (print_race ppf) (all ());
  Format.fprintf ppf "%s@."
    (match n with 0 -> "no race" | 1 -> "1 race" | n -> string_of_int n ^ " races")

(* JSON *)

let quoted s =
  let b = Buffer.create (String.length s + 2) in
  let add = function
    | ('"' | '\\') as c ->
        Buffer.add_char b '\\';
        Buffer.add_char b c
    | c when Char.code c < 32 -> Printf.bprintf b "\\u%04x" (Char.code c)
    | c -> Buffer.add_char b c
  in
  Buffer.add_char b '"';
  String.iter add s;
  Buffer.add_char b '"';
  Buffer.contents b

let json_place ppf site =
  match Sites.place site with
  | None -> Format.fprintf ppf "null"
  | Some { file; line; column; what } ->
      Format.fprintf ppf {|{"file":%s,"line":%d,"column":%d,"what":%s}|} (quoted file) line column
        (quoted what)

let json_list print ppf l =
  Format.fprintf ppf "[%a]"
    (Format.pp_print_list ~pp_sep:(fun ppf () -> Format.fprintf ppf ",") print)
    l

let json_access ppf access =
  Format.fprintf ppf {|{"kind":"%s","place":%a,"way":%a}|} (kind access) json_place access.site
    (json_list json_place) (calls access.way)

let json_race ppf { earlier; later; times } =
  Format.fprintf ppf {|{"times":%d,"accesses":%a}|} times (json_list json_access) [ earlier; later ]

let print_json ~accesses ppf =
  Format.fprintf ppf {|{"accesses":%d,"races":%a}@.|} accesses (json_list json_race) (all ())
