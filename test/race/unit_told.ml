(* Whatever function takes an array, the race checker's modules say what it accesses: those that the interface has, and
   [Std_drover] does not define, would be invisible. *)

let parse parse file =
  In_channel.with_open_bin file (fun ic ->
      let lexbuf = Lexing.from_channel ic in
      Lexing.set_filename lexbuf file;
      parse lexbuf)

let rec takes_array (t : Parsetree.core_type) =
  match t.ptyp_desc with
  | Ptyp_poly (_, t) -> takes_array t
  | Ptyp_arrow (_, { ptyp_desc = Ptyp_constr ({ txt = Lident ("array" | "t"); _ }, _); _ }, _) ->
      true
  | Ptyp_arrow (_, _, result) -> takes_array result
  | _ -> false

(* What is compiled to an instruction is rewritten where it stands. *)
let rec taking_arrays name items =
  let of_item (item : Parsetree.signature_item) =
    match item.psig_desc with
    | Psig_value { pval_name; pval_type; pval_prim = []; _ } when takes_array pval_type ->
        [ pval_name.txt ]
    | Psig_modtype { pmtd_name; pmtd_type = Some { pmty_desc = Pmty_signature s; _ }; _ }
      when pmtd_name.txt = name ->
        taking_arrays name s
    | _ -> []
  in
  List.concat_map of_item items

let rec items (m : Parsetree.module_expr) =
  match m.pmod_desc with
  | Pmod_structure items -> items
  | Pmod_constraint (m, _) -> items m
  | _ -> []

let in_module name structure =
  let of_item (item : Parsetree.structure_item) =
    match item.pstr_desc with
    | Pstr_module { pmb_name = { txt = Some n; _ }; pmb_expr; _ } when n = name -> items pmb_expr
    | _ -> []
  in
  List.concat_map of_item structure

let names structure =
  let of_binding (b : Parsetree.value_binding) =
    match b.pvb_pat.ppat_desc with Ppat_var { txt; _ } -> Some txt | _ -> None
  in
  let of_item (item : Parsetree.structure_item) =
    match item.pstr_desc with
    | Pstr_value (_, bindings) -> List.filter_map of_binding bindings
    | _ -> []
  in
  List.concat_map of_item structure

(* [apart] access nothing by themselves. *)
let told file name apart () =
  let told =
    parse Parse.implementation "../../src/race/std_drover.ml"
    |> in_module "Drover" |> in_module name |> names
  in
  let is_missing f = not (List.mem f told || List.mem f apart) in
  let interface = parse Parse.interface ("../../src/drover/" ^ file) in
  let missing = List.filter is_missing (taking_arrays name interface) in
  Alcotest.(check (list string)) ("of " ^ name ^ " in std_drover.ml") [] missing

let case file name apart = Alcotest.test_case name `Quick (told file name apart)

let () =
  Alcotest.run "told"
    [
      ( "functions of arrays",
        [
          case "arrays.mli" "Array" [];
          case "arrays/serial.mli" "Array" [];
          case "arrays/float_arrays.mli" "Float_array" [];
          (* Their function has a view of the array, and accesses that. *)
          case "arrays/bigarrays.mli" "Bigarray1" [ "iter_slices"; "reduce_slices" ];
        ] );
    ]
