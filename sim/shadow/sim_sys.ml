(* Not the environment of the program that simulates *)

include Stdlib.Sys

let getenv_opt (_ : string) : string option = None
let file_exists path = Files.read path <> ""
