open Ppxlib
open Ast_builder.Default

type t = { arity : int; tell : location -> expression -> expression list -> expression }

let teller ~loc name =
  pexp_ident ~loc { txt = Ldot (Ldot (Lident "Drover_race", "Tell"), name); loc }

let call name loc site args =
  pexp_apply ~loc (teller ~loc name) (List.map (fun e -> (Nolabel, e)) (site :: args))

(* The structure and [n] indices; and the value that is stored. *)
let get ?(n = 1) name =
  Some { arity = 1 + n; tell = (fun loc site args -> call name loc site args) }

let set ?(n = 1) name =
  let tell loc site args = call name loc site (List.take (1 + n) args) in
  Some { arity = 2 + n; tell }

(* Of three dimensions, or of any number. *)
let general name ~arity indices =
  let tell loc site = function
    | b :: args -> call name loc site (indices ~loc b args)
    | [] -> assert false (* there are [arity] *)
  in
  Some { arity; tell }

let of_three ~loc b args =
  [ [%expr Stdlib.Bigarray.genarray_of_array3 [%e b]]; pexp_array ~loc (List.take 3 args) ]

let of_any ~loc:_ b args = b :: List.take 1 args

let of_array name = function
  | "get" | "unsafe_get" -> get ("read_" ^ name)
  | "set" | "unsafe_set" -> set ("write_" ^ name)
  | _ -> None

let of_reference = function
  | "!" -> get ~n:0 "read_ref"
  | ":=" -> set ~n:0 "write_ref"
  | "incr" | "decr" -> get ~n:0 "write_ref"
  | _ -> None

let of_module path name =
  match (path, name) with
  | ([ "Array" ] | [ "ArrayLabels" ]), _ -> of_array "array" name
  | [ "Float"; ("Array" | "ArrayLabels") ], _ -> of_array "floats" name
  | ([ "Bytes" ] | [ "BytesLabels" ]), _ -> of_array "bytes" name
  | ([ "Bigarray"; "Array1" ] | [ "Array1" ]), _ -> of_array "array1" name
  | ([ "Bigarray"; "Array2" ] | [ "Array2" ]), ("get" | "unsafe_get") -> get ~n:2 "read_array2"
  | ([ "Bigarray"; "Array2" ] | [ "Array2" ]), ("set" | "unsafe_set") -> set ~n:2 "write_array2"
  | ([ "Bigarray"; "Array3" ] | [ "Array3" ]), ("get" | "unsafe_get") ->
      general "read_bigarray" ~arity:4 of_three
  | ([ "Bigarray"; "Array3" ] | [ "Array3" ]), ("set" | "unsafe_set") ->
      general "write_bigarray" ~arity:5 of_three
  | ([ "Bigarray"; "Genarray" ] | [ "Genarray" ]), "get" -> general "read_bigarray" ~arity:2 of_any
  | ([ "Bigarray"; "Genarray" ] | [ "Genarray" ]), "set" -> general "write_bigarray" ~arity:3 of_any
  | _ -> None

let find = function
  | Lident name when File.defines name -> None
  | Lident name -> (
      match (of_reference name, File.opened ()) with
      | None, Some path -> of_module path name
      | access, _ -> access)
  | Ldot (Lident "Stdlib", name) -> of_reference name
  | Ldot (path, name) -> of_module (File.resolve path) name
  | Lapply _ -> None

let text f args =
  match (File.last f, args) with
  | "!", r :: _ -> "!" ^ r
  | ":=", r :: _ -> r ^ " := .."
  | (("incr" | "decr") as name), r :: _ -> name ^ " " ^ r
  | ("get" | "unsafe_get"), a :: indices -> Printf.sprintf "%s.(%s)" a (String.concat ", " indices)
  | ("set" | "unsafe_set"), a :: rest ->
      let indices = List.take (List.length rest - 1) rest in
      Printf.sprintf "%s.(%s) <- .." a (String.concat ", " indices)
  | name, _ -> name
