(* Programs that run until they are killed. *)

open Programs

type t = { pid : int; folder : string (* for its files, temporary ones, too *) }

(* [program mode f] is [f running] while that program of [ending] runs, from when all in it has begun. *)
let program ?(parameters = "e=16") ?(bindings = [ "OCAML_RUNTIME_EVENTS_START=1" ]) mode f =
  let dir = Filename.temp_dir "drover" ".running" in
  let begun = Filename.concat dir "begun" in
  let ours = [ "TMPDIR=" ^ dir; "OCAML_RUNTIME_EVENTS_DIR=" ^ dir ] @ bindings in
  let is_kept binding = not (String.starts_with ~prefix:"OCAMLRUNPARAM=" binding) in
  let kept = List.filter is_kept (Array.to_list (Unix.environment ())) in
  let environment = Array.of_list (ours @ (("OCAMLRUNPARAM=d=16," ^ parameters) :: kept)) in
  let pid =
    Unix.create_process_env ending [| ending; mode; begun |] environment Unix.stdin Unix.stdout
      Unix.stderr
  in
  let finally () =
    Unix.kill pid Sys.sigkill;
    ignore (Unix.waitpid [] pid);
    Array.iter (fun file -> Sys.remove (Filename.concat dir file)) (Sys.readdir dir);
    Sys.rmdir dir
  in
  Fun.protect ~finally (fun () ->
      while not (Sys.file_exists begun) do
        Unix.sleepf 0.01
      done;
      f { pid; folder = dir })
