(* Finds MPI: what its compiler wrapper, mpicc or $MPICC, adds to the words of the C compiler. Writes
   the sources that fit, and the flags for dune. Without a wrapper everything is as without MPI. *)

let read_all channel = String.trim (In_channel.input_all channel)

(* What the wrapper would run: all of them know -show. *)
let shown wrapper =
  let channel = Unix.open_process_in (Filename.quote wrapper ^ " -show 2>/dev/null") in
  let text = read_all channel in
  match Unix.close_process_in channel with
  | WEXITED 0 when text <> "" -> Some (String.split_on_char ' ' text)
  | _ -> None

let begins_with_any prefixes word =
  List.exists (fun prefix -> String.starts_with ~prefix word) prefixes

let write file text = Out_channel.with_open_bin file (fun oc -> output_string oc text)
let copy from into = write into (In_channel.with_open_bin from In_channel.input_all)

let sexp words =
  "(" ^ String.concat " " (List.map (fun w -> "\"" ^ String.escaped w ^ "\"") words) ^ ")\n"

let () =
  let wrapper =
    match Sys.getenv_opt "MPICC" with Some w when w <> "" -> w | Some _ | None -> "mpicc"
  in
  let words = shown wrapper in
  let ending = if words = None then "none" else "mpi" in
  let words = Option.value words ~default:[] in
  copy ("over_mpi." ^ ending ^ ".ml") "over_mpi.ml";
  copy ("binding." ^ ending ^ ".c") "binding.c";
  write "c_flags.sexp" (sexp (List.filter (begins_with_any [ "-I"; "-D"; "-pthread" ]) words));
  write "c_library_flags.sexp"
    (sexp (List.filter (begins_with_any [ "-L"; "-l"; "-Wl,"; "-pthread" ]) words))
