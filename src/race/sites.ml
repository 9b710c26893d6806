type t = int
type place = { file : string; line : int; column : int; what : string }

let bits = 20
let all = Dynarray.create ()
let here = ref 0

let add ~file l =
  let add (line, column, what) =
    Dynarray.add_last all { file; line; column; what };
    Dynarray.length all
  in
  if Dynarray.length all + Array.length l >= 1 lsl bits then
    failwith "Drover_race: the program has more than a million places where it may race";
  Array.map add l

(* Modules *)

let seen = Hashtbl.create 16
let referred = Hashtbl.create 16

let refers ~file paths =
  Hashtbl.replace seen (String.capitalize_ascii Filename.(remove_extension (basename file))) ();
  List.iter (fun path -> Hashtbl.replace referred path ()) paths

let unseen () =
  let is_seen path = List.exists (Hashtbl.mem seen) (String.split_on_char '.' path) in
  let all = List.of_seq (Hashtbl.to_seq_keys referred) in
  List.sort String.compare (List.filter (fun path -> not (is_seen path)) all)

let place site = if site = 0 then None else Some (Dynarray.get all (site - 1))
