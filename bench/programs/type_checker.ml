(* A type checker for many files: each is parsed, and the types of its definitions are inferred, with
   polymorphism as in ML. *)

type expr =
  | Int
  | Var of string
  | Fun of string * expr
  | Apply of expr * expr
  | Let of string * expr * expr

(* Prefix notation: [\ x e] is a function, [@ f e] applies one, [= x e e'] is a local definition. *)
let parse text =
  let rec expr = function
    | "\\" :: x :: rest ->
        let body, rest = expr rest in
        (Fun (x, body), rest)
    | "@" :: rest ->
        let f, rest = expr rest in
        let e, rest = expr rest in
        (Apply (f, e), rest)
    | "=" :: x :: rest ->
        let e, rest = expr rest in
        let body, rest = expr rest in
        (Let (x, e, body), rest)
    | word :: rest -> ((if word.[0] <= '9' then Int else Var word), rest)
    | [] -> failwith "the file ends in an expression"
  in
  fst (expr (String.split_on_char ' ' text))

(* A variable that is not bound yet belongs to the [let] of that depth. *)
type ty = Number | Arrow of ty * ty | Unknown of unknown ref | Any of int
and unknown = Free of int | Bound of ty

let rec repr = function Unknown { contents = Bound t } -> repr t | t -> t

exception Mismatch

let rec occurs r depth t =
  match repr t with
  | Unknown r' when r == r' -> raise Mismatch
  | Unknown ({ contents = Free d } as r') ->
      if d > depth then r' := Free depth
  | Arrow (a, b) ->
      occurs r depth a;
      occurs r depth b
  | _ -> ()

let rec unify a b =
  match (repr a, repr b) with
  | Number, Number -> ()
  | Unknown r, Unknown r' when r == r' -> ()
  | Unknown ({ contents = Free depth } as r), t
  | t, Unknown ({ contents = Free depth } as r) ->
      occurs r depth t;
      r := Bound t
  | Arrow (a, b), Arrow (a', b') ->
      unify a a';
      unify b b'
  | _ -> raise Mismatch

(* Numbers the variables that are free below [depth], so that each use has its own. *)
let generalise depth t =
  let count = ref 0 in
  let rec go t =
    match repr t with
    | Unknown ({ contents = Free d } as r) when d > depth ->
        r := Bound (Any !count);
        incr count
    | Arrow (a, b) ->
        go a;
        go b
    | _ -> ()
  in
  go t;
  (!count, t)

let instance depth (count, t) =
  let fresh = Array.init count (fun _ -> Unknown (ref (Free depth))) in
  let rec go t =
    match repr t with
    | Any i -> fresh.(i)
    | Arrow (a, b) -> Arrow (go a, go b)
    | t -> t
  in
  if count = 0 then t else go t

module Env = Map.Make (String)

let rec infer env depth = function
  | Int -> Number
  | Var x -> instance depth (Env.find x env)
  | Fun (x, body) ->
      let a = Unknown (ref (Free depth)) in
      Arrow (a, infer (Env.add x (0, a) env) depth body)
  | Apply (f, e) ->
      let tf = infer env depth f and result = Unknown (ref (Free depth)) in
      unify tf (Arrow (infer env depth e, result));
      result
  | Let (x, e, body) ->
      let t = generalise depth (infer env (depth + 1) e) in
      infer (Env.add x t env) depth body

let rec print t =
  match repr t with
  | Number -> "int"
  | Any i -> Printf.sprintf "'%d" i
  | Unknown _ -> "_"
  | Arrow (a, b) -> Printf.sprintf "(%s -> %s)" (print a) (print b)

let check file = print (infer Env.empty 0 (parse file))
let serial files = Array.map check files
let drover files = Drover.Array.map check files

let domainslib pool files =
  By_hand.init pool (Array.length files) (fun i -> check files.(i))

(* Some files are several times as long as others. *)
let file i =
  let definition d =
    match (i + d) mod 4 with
    | 0 -> Printf.sprintf "= v%d \\ f \\ x @ f @ f x" d
    | 1 -> Printf.sprintf "= v%d \\ f \\ g \\ x @ f @ g x" d
    | 2 -> Printf.sprintf "= v%d \\ x = y \\ z x @ y @ y 1" d
    | _ ->
        Printf.sprintf "= v%d \\ a \\ b = p \\ s @ @ s a b @ p \\ c \\ d c"
          d
  in
  let definitions = List.init (50 + (i * 7919 mod 300)) definition in
  String.concat " " (definitions @ [ "\\ x @ v0 x" ])

let kernel =
  Program.kernel ~name:"type-checker"
    ~doc:"types of the definitions of many files are inferred"
    ~sizes:(20, 1_000, 5_000)
    ~about:(Printf.sprintf "%d files")
    ~input:(fun n -> Array.init n file)
    ~show:(fun types -> types.(0))
    ~serial ~drover ~domainslib ()
