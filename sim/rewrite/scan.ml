(* scan.exe [-all] SOURCE...: writes the table of records. What rules are for has to be there: with [-all] each rule's
   module, and always the records that they name of these modules. *)

let fail text =
  prerr_endline ("The simulator has a rule for what is not there: " ^ text);
  exit 2

let check_modules modules =
  List.iter (fun m -> if not (List.mem m modules) then fail ("module " ^ m)) Rules.modules

let check_shared modules (table : Records.t) =
  let is_there record =
    List.exists (fun (_, (f : Records.field)) -> f.record = record && f.kind = Shared) table
  and is_of_these record = List.mem (List.hd (String.split_on_char '.' record)) modules in
  let check record =
    if is_of_these record && not (is_there record) then fail ("mutable fields of " ^ record)
  in
  List.iter check Rules.shared

let () =
  let all, sources =
    match List.tl (Array.to_list Sys.argv) with
    | "-all" :: sources -> (true, sources)
    | sources -> (false, sources)
  in
  let modules = List.map Records.modul_of_file sources in
  let table = List.concat_map Records.of_file sources in
  if all then check_modules modules;
  check_shared modules table;
  set_binary_mode_out stdout true;
  output_value stdout (table : Records.t)
