type access = { is_write : bool; site : Sites.t; way : Order.way option }
type race = { earlier : access; later : access; is_of_all : bool; mutable times : int }

let found : (Sites.t * Sites.t, race) Hashtbl.t = Hashtbl.create 16

let add earlier later =
  let pair = (Int.min earlier.site later.site, Int.max earlier.site later.site) in
  match Hashtbl.find_opt found pair with
  | Some race -> race.times <- race.times + 1
  | None -> Hashtbl.add found pair { earlier; later; is_of_all = !Order.is_of_all; times = 1 }

let locked : (Sites.t * Sites.t, unit) Hashtbl.t = Hashtbl.create 16
let add_locked earlier later = Hashtbl.replace locked (earlier.site, later.site) ()

let forget () =
  Hashtbl.reset found;
  Hashtbl.reset locked

let pair race = (race.earlier.site, race.later.site)
let pairs () = Hashtbl.fold (fun _ race l -> pair race :: l) found []

(* A line of the file of known races: what is accessed where, without the lines, which change. *)
let identity race =
  let one { is_write; site; _ } =
    match Sites.place site with
    | None -> "?"
    | Some { file; what; _ } ->
        Printf.sprintf "%s of %s at %s" (if is_write then "write" else "read") what file
  in
  String.concat " / " (List.sort String.compare [ one race.earlier; one race.later ])

let known : (string, unit) Hashtbl.t = Hashtbl.create 16

let read_known file =
  List.iter
    (fun line -> Hashtbl.replace known line ())
    (In_channel.with_open_text file In_channel.input_lines)

let is_known race = Hashtbl.mem known (identity race)

let write_known file =
  let lines = Hashtbl.fold (fun _ race l -> identity race :: l) found [] in
  Out_channel.with_open_text file (fun c ->
      List.iter (fun line -> output_string c (line ^ "\n")) (List.sort_uniq String.compare lines))

let new_ones () = Hashtbl.fold (fun _ race l -> if is_known race then l else race :: l) found []
let count () = List.length (new_ones ())
let count_known () = Hashtbl.length found - count ()

let all () =
  let compare a b =
    match Int.compare b.times a.times with 0 -> compare (pair a) (pair b) | c -> c
  in
  List.sort compare (new_ones ())

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

let print_race ppf { earlier; later; is_of_all; times } =
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
    | Some site -> "in what begins at " ^ call site);
  if not is_of_all then
    Format.fprintf ppf "  on schedules with this order of locks, messages and atomics@\n"

let print ppf =
  let n = count () in
  List.iter (print_race ppf) (all ());
  Format.fprintf ppf "%s%s@."
    (match n with 0 -> "no race" | 1 -> "1 race" | n -> string_of_int n ^ " races")
    (match count_known () with 0 -> "" | n -> Printf.sprintf ", and %d that are known" n)

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

let json_race ppf { earlier; later; is_of_all; times } =
  Format.fprintf ppf {|{"times":%d,"every_schedule":%b,"accesses":%a}|} times is_of_all
    (json_list json_access) [ earlier; later ]

let json_pair ppf (a, b) = json_list json_place ppf [ a; b ]
let json_string ppf s = Format.pp_print_string ppf (quoted s)

let print_json ~accesses ~unseen ~has_threads ppf =
  let locked = List.sort compare (List.of_seq (Hashtbl.to_seq_keys locked)) in
  Format.fprintf ppf
    {|{"accesses":%d,"races":%a,"known":%d,"locked":%a,"unseen":%a,"threads":%b}@.|} accesses
    (json_list json_race) (all ()) (count_known ()) (json_list json_pair) locked
    (json_list json_string) unseen has_threads
