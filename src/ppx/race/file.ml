open Ppxlib
open Ast_builder.Default

let rec last = function Lident s | Ldot (_, s) -> s | Lapply (_, path) -> last path

(* What the file declares *)

type arguments = Inline of int | Values | Unknown

(* Whether a name stands for a path, or for a module of the file's own. *)
type modules = (string, Longident.t option) Hashtbl.t

let modules : modules = Hashtbl.create 16
let constructors : (string, arguments) Hashtbl.t = Hashtbl.create 16
let fields : (string, bool) Hashtbl.t = Hashtbl.create 16 (* whether one is mutable *)
let mutables : (string * int) list ref = ref []
let opens : Longident.t list ref = ref []
let named : (string, unit) Hashtbl.t = Hashtbl.create 16
let variables : (string, unit) Hashtbl.t = Hashtbl.create 64

let note_fields labels =
  let note l =
    let is_mutable = l.pld_mutable = Mutable and name = l.pld_name.txt in
    if is_mutable then mutables := (name, List.length labels) :: !mutables;
    let before = Option.value (Hashtbl.find_opt fields name) ~default:false in
    Hashtbl.replace fields name (before || is_mutable)
  in
  List.iter note labels

(* [module Array = struct include Array .. end] is Array, too. *)
let rec path_of m =
  match m.pmod_desc with
  | Pmod_ident { txt; _ } -> Some txt
  | Pmod_structure items ->
      List.find_map
        (fun item ->
          match item.pstr_desc with Pstr_include { pincl_mod; _ } -> path_of pincl_mod | _ -> None)
        items
  | Pmod_constraint (m, _) -> path_of m
  | _ -> None

let note_module name m =
  match path_of m with
  | Some (Lident other) when other = name -> ()
  | path -> Hashtbl.replace modules name path

let starts_upper name = match name.[0] with 'A' .. 'Z' -> true | _ -> false

let note_named path =
  let rec names path rest =
    match path with
    | Lident name -> Some (name :: rest)
    | Ldot (path, name) -> names path (name :: rest)
    | Lapply _ -> None
  in
  Option.iter (fun l -> Hashtbl.replace named (String.concat "." l) ()) (names path [])

let declarations =
  object
    inherit Ast_traverse.iter as super

    method! type_declaration d =
      (match d.ptype_kind with Ptype_record labels -> note_fields labels | _ -> ());
      super#type_declaration d

    method! constructor_declaration c =
      (match c.pcd_args with
      | Pcstr_record labels ->
          note_fields labels;
          Hashtbl.replace constructors c.pcd_name.txt (Inline (List.length labels))
      | Pcstr_tuple _ -> Hashtbl.replace constructors c.pcd_name.txt Values);
      super#constructor_declaration c

    method! functor_parameter p =
      (match p with
      | Named ({ txt = Some name; _ }, _) -> Hashtbl.replace modules name None
      | Named _ | Unit -> ());
      super#functor_parameter p

    method! open_declaration o =
      opens := Option.value (path_of o.popen_expr) ~default:(Lident "") :: !opens;
      super#open_declaration o

    method! module_binding b =
      Option.iter (fun name -> note_module name b.pmb_expr) b.pmb_name.txt;
      super#module_binding b

    method! longident_loc { txt; _ } =
      match txt with
      | Ldot (path, name) when not (starts_upper name) -> note_named path
      | Lident _ | Ldot _ | Lapply _ -> ()

    method! expression e =
      (match e.pexp_desc with
      | Pexp_letmodule ({ txt = Some name; _ }, m, _) -> note_module name m
      | _ -> ());
      super#expression e

    method! pattern p =
      (match p.ppat_desc with
      | Ppat_var { txt; _ } | Ppat_alias (_, { txt; _ }) -> Hashtbl.replace variables txt ()
      | Ppat_unpack { txt = Some name; _ } -> Hashtbl.replace modules name None
      | _ -> ());
      super#pattern p
  end

let resolve path =
  let rec names path rest =
    match path with
    | Lident name -> Some (name :: rest)
    | Ldot (path, name) -> names path (name :: rest)
    | Lapply _ -> None
  in
  (* An alias of an alias, and so on; but not for ever. *)
  let rec follow depth l =
    match l with
    | "Stdlib" :: rest when rest <> [] -> follow depth rest
    | first :: rest -> (
        match Hashtbl.find_opt modules first with
        | Some (Some path) when depth > 0 -> (
            match names path rest with Some l -> follow (depth - 1) l | None -> [])
        | Some _ -> []
        | None -> l)
    | [] -> []
  in
  match names path [] with Some l -> follow 8 l | None -> []

(* The modules that the file names, of others than those libraries. *)
let others () =
  let opened = List.concat_map Libraries.modules_of (List.concat_map resolve !opens) in
  let is_other path =
    let first = List.hd (String.split_on_char '.' path) in
    not (Libraries.has first || List.mem first opened || Hashtbl.mem modules first)
  in
  List.sort String.compare (List.filter is_other (List.of_seq (Hashtbl.to_seq_keys named)))

let of_domainslib path =
  match resolve path with
  | [ "Domainslib"; name ] -> Some name
  | [ name ] when List.mem [ "Domainslib" ] (List.map resolve !opens) -> Some name
  | _ -> None

let makes_thread path =
  match path with Ldot (path, "create") -> resolve path = [ "Thread" ] | _ -> false

(* The module that the names [get] and [set] are of, where the file opens one that has them, and otherwise none that may
   have. *)
let opened () =
  let have_none = [ "Drover"; "Printf"; "List"; "Stdlib" ] in
  let others =
    List.filter (fun path -> not (List.mem path (List.map (fun m -> [ m ]) have_none)))
  in
  match others (List.sort_uniq compare (List.map resolve !opens)) with
  | [ (([ "Array" ] | [ "Bytes" ] | [ "Float"; "Array" ]) as path) ] -> Some path
  | _ -> None

let plain = [ "Some"; "Ok"; "Error"; "::" ]

let arguments c =
  let name = last c in
  if List.mem name plain then Values
  else
    match c with
    | Lident _ -> Option.value (Hashtbl.find_opt constructors name) ~default:Unknown
    | Ldot _ | Lapply _ -> Unknown

let may_be_mutable = function
  | Lident name -> Option.value (Hashtbl.find_opt fields name) ~default:true
  | Ldot _ | Lapply _ -> true

let defines name = Hashtbl.mem variables name

(* What its rewritten form needs *)

let file = ref ""
let sites : expression list ref = ref []
let count = ref 0
let labels : (string, expression) Hashtbl.t = Hashtbl.create 16 (* by the variable for each *)

let start str =
  (file := match str with [] -> "" | item :: _ -> item.pstr_loc.loc_start.pos_fname);
  sites := [];
  count := 0;
  mutables := [];
  opens := [];
  Hashtbl.reset named;
  Hashtbl.reset modules;
  Hashtbl.reset constructors;
  Hashtbl.reset fields;
  Hashtbl.reset variables;
  Hashtbl.reset labels;
  declarations#structure str

let site ~loc what =
  let { pos_lnum; pos_cnum; pos_bol; _ } = loc.loc_start in
  let n = !count in
  incr count;
  sites :=
    pexp_tuple ~loc [ eint ~loc pos_lnum; eint ~loc (pos_cnum - pos_bol); estring ~loc what ]
    :: !sites;
  [%expr Stdlib.Array.unsafe_get drover_race_sites [%e eint ~loc n]]

let named ~loc prefix name make =
  let variable = prefix ^ name in
  Hashtbl.replace labels variable (make (estring ~loc name));
  evar ~loc variable

let label ~loc name =
  named ~loc "drover_race_field_" name (fun name -> [%expr Drover_race.Tell.label [%e name]])

let variable ~loc name =
  named ~loc "drover_race_variable_" name (fun name -> [%expr Drover_race.Tell.variable [%e name]])

(* Not to be seen from outside, nor to be hidden by what the file includes. *)
let prelude () =
  let loc = { Location.none with loc_ghost = true } in
  let define name e = [%stri let [%p pvar ~loc name] = [%e e]] in
  let declare (name, n) =
    [%stri let () = Drover_race.Tell.has_mutable [%e estring ~loc name] [%e eint ~loc n]]
  in
  let sites = pexp_array ~loc (List.rev !sites) in
  let items =
    [%stri [@@@ocaml.warning "-32"]]
    :: [%stri
         let drover_race_sites = Drover_race.Tell.sites ~file:[%e estring ~loc !file] [%e sites]]
    :: [%stri
         let () =
           Drover_race.Tell.refers ~file:[%e estring ~loc !file]
             [%e elist ~loc (List.map (estring ~loc) (others ()))]]
    :: List.map declare (List.sort_uniq compare !mutables)
    @ List.map (fun (name, e) -> define name e) (List.of_seq (Hashtbl.to_seq labels))
  in
  let opened m = pstr_open ~loc (open_infos ~loc ~override:Override ~expr:m) in
  [ opened (pmod_structure ~loc items); [%stri open! Drover_race.Std [@@ocaml.warning "-66"]] ]
