(* Records: the types whose fields several threads use, by the labels of their fields.

   These are the types with a field that is atomic, and those that [Rules.shared] names. *)

open Parsetree

type kind = Atomic | Shared | Other
type field = { record : string; (* as "Anatomy.t" *) index : int; size : int; kind : kind }
type t = (string * field) list

let is_atomic label = List.exists (fun a -> a.attr_name.txt = "atomic") label.pld_attributes

(* The field that the copy of such a type has besides: the lines it lies in. *)
let lines_of record =
  "sim_" ^ String.map (fun c -> if c = '.' then '_' else Char.lowercase_ascii c) record

let is_shared record labels = List.exists is_atomic labels || List.mem record Rules.shared

let of_labels ~record labels =
  let kind label =
    if is_atomic label then Atomic
    else if List.mem record Rules.shared && label.pld_mutable = Mutable then Shared
    else Other
  and size = List.length labels in
  List.mapi
    (fun index label -> (label.pld_name.txt, { record; index; size; kind = kind label }))
    labels

let name_of_record ~modul name = modul ^ "." ^ name

(* The labels of a type, and of its constructors that have records. *)
let of_type ~modul decl =
  match decl.ptype_kind with
  | Ptype_record labels -> of_labels ~record:(name_of_record ~modul decl.ptype_name.txt) labels
  | Ptype_variant constructors ->
      let of_constructor c =
        match c.pcd_args with
        | Pcstr_record labels -> of_labels ~record:(name_of_record ~modul c.pcd_name.txt) labels
        | Pcstr_tuple _ -> []
      in
      List.concat_map of_constructor constructors
  | Ptype_abstract | Ptype_open -> []

let modul_of_file file = String.capitalize_ascii Filename.(remove_extension (basename file))

let of_file file =
  let modul = modul_of_file file and found = ref [] in
  let type_declaration self decl =
    found := of_type ~modul decl @ !found;
    Ast_iterator.default_iterator.type_declaration self decl
  in
  let iterator = { Ast_iterator.default_iterator with type_declaration } in
  let lexbuf = Lexing.from_string (In_channel.with_open_bin file In_channel.input_all) in
  Lexing.set_filename lexbuf file;
  iterator.structure iterator (Parse.implementation lexbuf);
  !found

let is_shared_field f = f.kind <> Other

(* The field that [label] is in a module: its own, or what a rule says, or else the only one that is shared. *)
let find t ~modul label =
  let all = List.filter_map (fun (l, f) -> if l = label then Some f else None) t in
  let is_own f = String.starts_with ~prefix:(modul ^ ".") f.record in
  match (List.filter is_own all, List.assoc_opt (modul, label) Rules.labels) with
  | _, Some record -> List.find_opt (fun f -> f.record = record) all
  | [ field ], None -> Some field
  | (_ :: _ as own), None when not (List.exists is_shared_field own) -> None
  | _, None -> ( match List.filter is_shared_field all with [ field ] -> Some field | _ -> None)

(* The shared record that has all these labels, with its size. *)
let with_fields t ~modul labels =
  let fields label = List.filter_map (fun (l, f) -> if l = label then Some f else None) t in
  let has record label = List.exists (fun f -> f.record = record) (fields label) in
  let is_shared record = List.exists (fun (_, f) -> f.record = record && is_shared_field f) t in
  let all =
    List.filter
      (fun f -> List.for_all (has f.record) labels)
      (List.concat_map fields (List.filteri (fun i _ -> i = 0) labels))
  in
  let own = List.filter (fun f -> String.starts_with ~prefix:(modul ^ ".") f.record) all in
  match if own <> [] then own else all with
  | [ f ] when is_shared f.record -> Some (f.record, f.size)
  | _ -> None
