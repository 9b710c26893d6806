(* Rewrite: makes of a source the one that runs on simulated processors (see [Rules]).

   rewrite.exe FILE TABLE: writes the syntax tree of FILE to the standard output; TABLE is what scan.exe wrote. *)

open Parsetree
open Ast_helper

let file = Sys.argv.(1)
let modul = Records.modul_of_file file
let records : Records.t = In_channel.with_open_bin Sys.argv.(2) input_value

let fail loc text =
  Format.eprintf "%a: %s@." Location.print_loc loc text;
  exit 2

(* Names *)

let no_loc txt = Location.mkloc txt !default_loc
let lid names = no_loc (Option.get (Longident.unflatten names))
let ident names = Exp.ident (lid names)
let machine modul name = ident [ "Drover_machine"; modul; name ]
let call f args = Exp.apply f (List.map (fun a -> (Asttypes.Nolabel, a)) args)
let string s = Exp.constant (Const.string s)
let int n = Exp.constant (Const.int n)
let unit = Exp.construct (lid [ "()" ]) None

(* The field or the binding that an expression is for: so is an atomic named that it makes, as "Deque.top". *)
let purpose = ref ""

let for_purpose name f =
  let before = !purpose in
  purpose := name;
  Fun.protect ~finally:(fun () -> purpose := before) f

let name_of_atomic () = modul ^ "." ^ !purpose

(* Fields *)

let name_of_label (l : Longident.t Location.loc) = Longident.last l.txt

let sibling (l : Longident.t Location.loc) name =
  match List.rev (Longident.flatten l.txt) with
  | _ :: rest -> lid (List.rev (name :: rest))
  | [] -> assert false

(* The line of the field [label] of [record], which is an identifier. *)
let line record label (field : Records.field) =
  let lines = Exp.field record (sibling label (Records.lines_of field.record)) in
  (* Behind the header *)
  call (ident [ "Drover_machine"; "Lines"; "of_word" ]) [ lines; int field.index ]

let site label (field : Records.field) = string (field.record ^ "." ^ name_of_label label)

let with_name expr body =
  match expr.pexp_desc with
  | Pexp_ident _ -> body expr
  | _ ->
      let name = "sim_record" in
      Exp.let_ Nonrecursive [ Vb.mk (Pat.var (no_loc name)) expr ] (body (ident [ name ]))

let looked_up = Hashtbl.create 10

let find label =
  let name = name_of_label label in
  Hashtbl.replace looked_up name ();
  Records.find records ~modul name

let read_field record label field =
  with_name record (fun record ->
      Exp.sequence
        (call (machine "Lines" "read") [ line record label field; site label field ])
        (Exp.field record label))

(* What is allocated here is not in the original: so it is nowhere in that. *)
let of_simulator (loc : Location.t) =
  let elsewhere pos = { pos with Lexing.pos_fname = "sim/" ^ pos.Lexing.pos_fname } in
  { loc with loc_start = elsewhere loc.loc_start; loc_end = elsewhere loc.loc_end }

let thunk body =
  let no_argument = Pat.construct (lid [ "()" ]) None in
  let param =
    { pparam_loc = !default_loc; pparam_desc = Pparam_val (Nolabel, None, no_argument) }
  in
  Exp.mk (Pexp_function ([ param ], None, Pfunction_body body))

let write_field record label value field =
  let value' = "sim_value" in
  with_default_loc (of_simulator !default_loc) @@ fun () ->
  with_name record (fun record ->
      let line = line record label field and write = Exp.setfield record label (ident [ value' ]) in
      let is_seen = call (machine "Lines" "write") [ line; site label field ] in
      let keep = call (machine "Lines" "keep") [ line; site label field; thunk write ] in
      Exp.let_ Nonrecursive
        [ Vb.mk (Pat.var (no_loc value')) value ]
        (Exp.ifthenelse is_seen write (Some keep)))

let atomic_field loc record label =
  match find label with
  | None -> fail loc "a field that no type is known of"
  | Some field ->
      with_default_loc (of_simulator loc) @@ fun () ->
      with_name record (fun record ->
          let atomic =
            Exp.extension (no_loc "atomic.loc", PStr [ Str.eval (Exp.field record label) ])
          in
          call
            (ident [ "Atomic"; "Loc"; "at" ])
            [ line record label field; site label field; atomic ])

let record_with_lines fields =
  match Records.with_fields records ~modul (List.map (fun (l, _) -> name_of_label l) fields) with
  | None -> fields
  | Some (record, size) ->
      let lines = call (machine "Lines" "block") [ int (size + 1) ] in
      fields @ [ (lid [ Records.lines_of record ], lines) ]

let lines_label record =
  Type.field
    (no_loc (Records.lines_of record))
    (Typ.constr (lid [ "array" ]) [ Typ.constr (lid [ "Drover_machine"; "World"; "line" ]) [] ])

let labels_with_lines ~name labels =
  let record = Records.name_of_record ~modul name in
  if Records.is_shared record labels then labels @ [ lines_label record ] else labels

(* Functions *)

let rec at_entry first expr =
  match expr.pexp_desc with
  | Pexp_function (params, constr, Pfunction_body body) when params <> [] ->
      {
        expr with
        pexp_desc = Pexp_function (params, constr, Pfunction_body (Exp.sequence first body));
      }
  | Pexp_newtype (t, body) -> { expr with pexp_desc = Pexp_newtype (t, at_entry first body) }
  | _ -> fail expr.pexp_loc "a rule is for what is no function"

let matched = Hashtbl.create 10

let rules_for rules name =
  let rule (m, f, what) = if m = modul && f = name then Some what else None in
  let found = List.filter_map rule rules in
  if found <> [] then Hashtbl.replace matched (modul, name) ();
  found

let or_instead (variant, instead) expr =
  match expr.pexp_desc with
  | Pexp_function (params, constr, Pfunction_body body) when params <> [] ->
      let is_planted = call (machine "Mutants" "is_planted") [ string variant ] in
      let instead = Parse.expression (Lexing.from_string instead) in
      let body = Exp.ifthenelse is_planted instead (Some body) in
      { expr with pexp_desc = Pexp_function (params, constr, Pfunction_body body) }
  | _ -> fail expr.pexp_loc "a rule is for what is no function"

let with_variant what vb = { vb with pvb_expr = or_instead what vb.pvb_expr }
let count counter = call (machine "Work" "count") [ string counter ]
let allocate (words, live) = call (machine "Work" "allocate_quietly") [ int words; int live ]

let binding_with_rules vb =
  match vb.pvb_pat.ppat_desc with
  | Ppat_var { txt = name; _ } ->
      let apply rules change vb =
        List.fold_left (fun vb what -> change what vb) vb (rules_for rules name)
      and add first vb = { vb with pvb_expr = at_entry first vb.pvb_expr } in
      vb
      |> apply Rules.allocations (fun what -> add (allocate what))
      |> apply Rules.prices (fun f -> add (call (machine "Work" f) [ unit ]))
      |> apply Rules.counted (fun counter -> add (count counter))
      |> apply Rules.variants with_variant
  | _ -> vb

let is_poll a = a.attr_name.txt = "poll"

(* A function without safepoints has some in the copy, at which nothing may happen. *)
let rec masked expr =
  match expr.pexp_desc with
  | Pexp_function (params, constr, Pfunction_body body) when params <> [] ->
      let value = "sim_value" in
      let mask = call (machine "World" "mask") [ unit ] in
      let unmask = call (machine "World" "unmask") [ unit ] in
      let result =
        Exp.let_ Nonrecursive
          [ Vb.mk (Pat.var (no_loc value)) body ]
          (Exp.sequence unmask (ident [ value ]))
      in
      let body = Exp.sequence mask result in
      { expr with pexp_desc = Pexp_function (params, constr, Pfunction_body body) }
  | Pexp_newtype (t, body) -> { expr with pexp_desc = Pexp_newtype (t, masked body) }
  | _ -> fail expr.pexp_loc "what has no safepoint is no function"

let without_poll vb =
  if List.exists is_poll vb.pvb_attributes then
    let others = List.filter (fun a -> not (is_poll a)) vb.pvb_attributes in
    { vb with pvb_expr = masked vb.pvb_expr; pvb_attributes = others }
  else vb

(* A handler of all effects lets those of the simulator pass. *)
let guarded case =
  match case.pc_lhs.ppat_desc with
  | Ppat_effect ({ ppat_desc = Ppat_var { txt = eff; _ }; _ }, _) ->
      let is_not_own =
        call (ident [ "not" ]) [ call (machine "Turns" "is_own") [ ident [ eff ] ] ]
      in
      let guard =
        match case.pc_guard with
        | None -> is_not_own
        | Some guard -> call (ident [ "&&" ]) [ is_not_own; guard ]
      in
      { case with pc_guard = Some guard }
  | _ -> case

(* Primitives *)

let is_element prims = List.exists (fun p -> List.mem p Rules.elements) prims

let rec arity typ =
  match typ.ptyp_desc with Ptyp_arrow (_, _, result) -> 1 + arity result | _ -> 0

let element_function vd =
  let name = vd.pval_name.txt in
  let primitive = "sim_" ^ name in
  let params = List.init (arity vd.pval_type) (Printf.sprintf "x%d") in
  let body =
    Exp.sequence
      (call (machine "Work" "element") [ unit ])
      (call (ident [ primitive ]) (List.map (fun x -> ident [ x ]) params))
  in
  let param x =
    { pparam_loc = Location.none; pparam_desc = Pparam_val (Nolabel, None, Pat.var (no_loc x)) }
  in
  [
    Str.primitive { vd with pval_name = no_loc primitive };
    Str.value Nonrecursive
      [
        Vb.mk
          (Pat.var (no_loc name))
          (Exp.mk (Pexp_function (List.map param params, None, Pfunction_body body)));
      ];
  ]

(* The mapper *)

let default = Ast_mapper.default_mapper

let expr self e =
  with_default_loc e.pexp_loc @@ fun () ->
  let again = default.expr self in
  match e.pexp_desc with
  | Pexp_extension
      ( { txt = "atomic.loc"; _ },
        PStr [ { pstr_desc = Pstr_eval ({ pexp_desc = Pexp_field (record, label); _ }, _); _ } ] )
    ->
      atomic_field e.pexp_loc (self.Ast_mapper.expr self record) label
  | Pexp_ident
      {
        txt = Ldot ({ txt = Lident "Atomic"; _ }, { txt = ("make" | "make_contended") as make; _ });
        _;
      } ->
      call (ident [ "Atomic"; make ^ "_at" ]) [ string (name_of_atomic ()) ]
  | Pexp_field (record, label) -> (
      match find label with
      | Some ({ kind = Shared; _ } as field) -> read_field (self.expr self record) label field
      | Some _ | None -> again e)
  | Pexp_setfield (record, label, value) -> (
      match find label with
      | Some ({ kind = Shared; _ } as field) ->
          write_field (self.expr self record) label (self.expr self value) field
      | Some _ | None -> again e)
  | Pexp_record (fields, base) ->
      let value (label, v) =
        (label, for_purpose (name_of_label label) (fun () -> self.expr self v))
      in
      let fields = record_with_lines (List.map value fields) in
      { e with pexp_desc = Pexp_record (fields, Option.map (self.expr self) base) }
  | _ -> again e

let case self c = guarded (default.case self c)

let rec name_of_pattern p =
  match p.ppat_desc with
  | Ppat_var { txt; _ } -> Some txt
  | Ppat_constraint (p, _) -> name_of_pattern p
  | _ -> None

let value_binding self vb =
  let name = Option.value (name_of_pattern vb.pvb_pat) ~default:!purpose in
  let vb = for_purpose name (fun () -> default.value_binding self vb) in
  binding_with_rules (without_poll vb)

let type_declaration self decl =
  let decl = default.type_declaration self decl in
  match decl.ptype_kind with
  | Ptype_record labels ->
      { decl with ptype_kind = Ptype_record (labels_with_lines ~name:decl.ptype_name.txt labels) }
  | Ptype_variant constructors ->
      let with_lines c =
        match c.pcd_args with
        | Pcstr_record labels ->
            { c with pcd_args = Pcstr_record (labels_with_lines ~name:c.pcd_name.txt labels) }
        | Pcstr_tuple _ -> c
      in
      { decl with ptype_kind = Ptype_variant (List.map with_lines constructors) }
  | Ptype_abstract | Ptype_open -> decl

let structure self items =
  let item i =
    match i.pstr_desc with
    | Pstr_primitive vd when is_element vd.pval_prim -> element_function vd
    | _ -> [ i ]
  in
  default.structure self (List.concat_map item items)

let signature_item self i =
  match i.psig_desc with
  | Psig_value vd when is_element vd.pval_prim ->
      { i with psig_desc = Psig_value { vd with pval_prim = []; pval_attributes = [] } }
  | _ -> default.signature_item self i

let mapper = { default with expr; case; value_binding; type_declaration; structure; signature_item }

(* Output *)

let is_field record label =
  List.exists (fun (l, (f : Records.field)) -> l = label && f.record = record) records

let check_rules () =
  let check is_there what name =
    if not is_there then begin
      Printf.eprintf "%s: no %s %s, which a rule of the simulator is for\n" file what name;
      exit 2
    end
  in
  let check_function (m, name, _) =
    check (m <> modul || Hashtbl.mem matched (m, name)) "function" name
  and check_label ((m, label), record) =
    check (m <> modul || Hashtbl.mem looked_up label) "use of the label" label;
    check (record = "" || m <> modul || is_field record label) ("label of " ^ record) label
  in
  List.iter check_function Rules.prices;
  List.iter check_function Rules.allocations;
  List.iter check_function Rules.counted;
  List.iter check_function Rules.variants;
  List.iter check_label Rules.labels

let output magic ast =
  set_binary_mode_out stdout true;
  output_string stdout magic;
  output_value stdout file;
  output_value stdout ast

let () =
  let lexbuf = Lexing.from_channel (open_in_bin file) in
  Location.input_name := file;
  Lexing.set_filename lexbuf file;
  try
    if Filename.check_suffix file ".mli" then
      output Config.ast_intf_magic_number (mapper.signature mapper (Parse.interface lexbuf))
    else begin
      let ast = mapper.structure mapper (Parse.implementation lexbuf) in
      check_rules ();
      output Config.ast_impl_magic_number ast
    end
  with exn ->
    Location.report_exception Format.err_formatter exn;
    exit 2
