(* Origin: the directory where the program began, and the file that it is, whatever has become of them
   since. A copy of the program is told where that was, and goes there before its own code begins; if it
   cannot be entered any more, it stays where it was started. *)

let variable = "DROVER_MPI_ORIGIN"

(* Empty if the system does not know it. *)
let directory =
  match Sys.getenv_opt variable with
  | None | Some "" -> ( try Sys.getcwd () with Sys_error _ -> "")
  | Some directory ->
      Unix.putenv variable "";
      (try Sys.chdir directory with Sys_error _ -> ());
      directory

(* For the environment of a copy. *)
let binding = variable ^ "=" ^ directory
let running = "/proc/self/exe" (* on Linux *)

let is_same a b =
  match (Unix.stat a, Unix.stat b) with
  | a, b -> a.st_dev = b.st_dev && a.st_ino = b.st_ino
  | exception Unix.Unix_error _ -> false

(* By its name as long as that leads to it, because tools show it. What runs bytecode is another
   program. *)
let file () =
  let name = Sys.executable_name in
  let named = if Filename.is_relative name then Filename.concat directory name else name in
  let is_lost () = Sys.file_exists running && not (is_same named running) in
  if Sys.backend_type = Native && is_lost () then running else named
