(* Loops, reductions and let that run in parallel, as calls of Drover:

     for%par i = a to b do body done       Drover.parallel_range
     for%sum i = a to b do e done          Drover.parallel_reduce_range
     let%par x = e and y = f in body       Drover.both

   A loop becomes a function of an interval, with the user's own [for] inside. So there is no call for
   each iteration, and what a reduction accumulates is a local reference, in which the compiler keeps
   floats unboxed.

   The generated code means the same whatever the program defines: it names Drover and Stdlib through
   [Ppx_drover_runtime], its variables are fresh, and its only constructor is [true], where only a boolean
   can be. The user's expressions keep their places, and stand where the compiler knows the type that it
   expects, so that its messages point to them. *)

open Ppxlib
open Ast_builder.Default

let refuse e = Location.raise_errorf ~loc:e.pexp_loc

(* Where generated code stands. *)
let ghost loc = { loc with loc_ghost = true }
let place ctxt = ghost (Expansion_context.Extension.extension_point_loc ctxt)

(* A variable, as a pattern and as an expression. [Variables] leaves out names that begin so. *)
let fresh ~loc name =
  let name = gen_symbol ~prefix:("__" ^ name) () in
  (pvar ~loc name, evar ~loc name)

(* {1 Loops} *)

(* [attribute name] finds an attribute's value, and the expression without it. *)
let attribute name =
  let declared =
    Attribute.declare ("drover." ^ name) Attribute.Context.expression
      Ast_pattern.(single_expr_payload __)
      Fun.id
  in
  fun e ->
    match Attribute.consume declared e with Some (e, value) -> (Some value, e) | None -> (None, e)

let grain = attribute "grain"
let combine = attribute "combine"
let identity = attribute "identity"

(* [loop keyword e f args piece] is [f args (fun lo hi -> piece over body)] for the interval of the loop
   [e], where [body] is its body, and [over body] the user's [for] from [lo] to [hi] with another one. The
   bounds are evaluated once, as those of a serial loop are: from left to right, before anything else.
   [~+] is the identity of ints. *)
let loop ~ctxt keyword e f args piece =
  let loc = place ctxt in
  let grain, e = grain e in
  let index, first, last, body =
    match e.pexp_desc with
    | Pexp_for (index, first, last, Upto, body) -> (index, first, last, body)
    | Pexp_for (_, _, _, Downto, _) ->
        refuse e "%s has no downto, as its iterations have no order: give the smaller bound first"
          keyword
    | _ -> refuse e "%s is for a loop: %s i = 1 to n do ... done" keyword keyword
  in
  let start_pattern, start = fresh ~loc "start" and finish_pattern, finish = fresh ~loc "finish" in
  let lo_pattern, lo = fresh ~loc "lo" and hi_pattern, hi = fresh ~loc "hi" in
  let over body = { e with pexp_desc = Pexp_for (index, lo, hi, Upto, body) } in
  let piece = piece over body in
  (* An editor would take a variable's copy for its definition. *)
  let for_editor = Expansion_context.Extension.tool_name ctxt = "merlin" in
  let piece = if for_editor then piece else Variables.piece piece in
  let piece = [%expr fun [%p lo_pattern] [%p hi_pattern] -> [%e piece]] in
  let labelled = List.map (fun (label, e) -> (Labelled label, e)) in
  let grain = List.map (fun e -> ("grain", e)) (Option.to_list grain) in
  let args = labelled (grain @ [ ("start", start); ("finish", finish) ] @ args) in
  [%expr
    let [%p start_pattern] = Ppx_drover_runtime.Stdlib.( ~+ ) [%e first] in
    let [%p finish_pattern] = Ppx_drover_runtime.Stdlib.( ~+ ) [%e last] in
    [%e pexp_apply ~loc f (args @ [ (Nolabel, piece) ])]]

let for_par ~ctxt e =
  let loc = place ctxt in
  loop ~ctxt "for%par" e [%expr Ppx_drover_runtime.Drover.parallel_range] [] (fun over body ->
      over body)

(* Each interval begins with the identity. It and the operator are variables, so that they are evaluated
   once; the compiler knows what they stand for. *)
let reduction ~ctxt keyword ~combine ~identity e =
  let loc = place ctxt in
  let combine_pattern, combine_it = fresh ~loc:(ghost combine.pexp_loc) "combine" in
  let identity_pattern, identity_it = fresh ~loc:(ghost identity.pexp_loc) "identity" in
  let total_pattern, total = fresh ~loc "total" in
  let value = [%expr Ppx_drover_runtime.Stdlib.( ! ) [%e total]] in
  let piece over body =
    let step =
      [%expr Ppx_drover_runtime.Stdlib.( := ) [%e total] ([%e combine_it] [%e value] [%e body])]
    in
    [%expr
      let [%p total_pattern] = Ppx_drover_runtime.Stdlib.ref [%e identity_it] in
      [%e over step];
      [%e value]]
  in
  [%expr
    let [%p combine_pattern] = [%e combine] in
    let [%p identity_pattern] = [%e identity] in
    [%e
      loop ~ctxt keyword e [%expr Ppx_drover_runtime.Drover.parallel_reduce_range]
        [ ("init", identity_it); ("combine", combine_it) ]
        piece]]

let for_reduce ~ctxt e =
  let combine, e = combine e in
  let identity, e = identity e in
  match (combine, identity) with
  | Some combine, Some identity -> reduction ~ctxt "for%reduce" ~combine ~identity e
  | _ ->
      refuse e
        "for%%reduce needs an operator and its identity, as in for%%reduce[@combine ( * )] \
         [@identity 1] i = 1 to n do ... done"

(* {1 Let} *)

(* A balanced tree of forks, as the pattern of their results and the expression that computes them. *)
let rec forks ~loc = function
  | [ result ] -> result
  | several ->
      let half = List.length several / 2 in
      let left_pattern, left = forks ~loc (List.take half several)
      and right_pattern, right = forks ~loc (List.drop half several) in
      ( [%pat? [%p left_pattern], [%p right_pattern]],
        [%expr Ppx_drover_runtime.Drover.both (fun _ -> [%e left]) (fun _ -> [%e right])] )

let ghosts =
  object
    inherit Ast_traverse.map
    method! location = ghost
  end

(* What a binding computes. A type that it gives stands here, too, as it may tell which constructors and
   fields are meant; but no polymorphic one, which an expression cannot have. *)
let computed ~loc b =
  match b.pvb_constraint with
  | Some (Pvc_constraint { typ = { ptyp_desc = Ptyp_poly _; _ }; _ }) -> b.pvb_expr
  | Some (Pvc_constraint { locally_abstract_univars = []; typ }) ->
      pexp_constraint ~loc b.pvb_expr (ghosts#core_type typ)
  | _ -> b.pvb_expr

(* The user's own bindings, of results. *)
let let_par ~loc e bindings body =
  let bind b =
    let name = gen_symbol ~prefix:"result" () in
    let pvb_expr = evar ~loc:(ghost b.pvb_expr.pexp_loc) name in
    ((pvar ~loc name, computed ~loc b), { b with pvb_expr; pvb_loc = ghost b.pvb_loc })
  in
  let parts, bindings = List.split (List.map bind bindings) in
  let pattern, results = forks ~loc parts in
  [%expr
    let [%p pattern] = [%e results] in
    [%e { e with pexp_desc = Pexp_let (Nonrecursive, bindings, body) }]]

let par ~ctxt e =
  match e.pexp_desc with
  | Pexp_let (Recursive, _, _) -> refuse e "let%%par cannot be recursive"
  | Pexp_let (Nonrecursive, [ _ ], _) ->
      refuse e "let%%par has nothing to run beside a single binding: add one with and, or write let"
  | Pexp_let (Nonrecursive, bindings, body) -> let_par ~loc:(place ctxt) e bindings body
  | _ -> for_par ~ctxt e

(* {1 The extensions} *)

let reductions =
  let loc = Location.none in
  [
    ("sum", [%expr Ppx_drover_runtime.Stdlib.( +. )], [%expr 0.]);
    ("min", [%expr Ppx_drover_runtime.Stdlib.Float.min], [%expr Ppx_drover_runtime.Stdlib.infinity]);
    ( "max",
      [%expr Ppx_drover_runtime.Stdlib.Float.max],
      [%expr Ppx_drover_runtime.Stdlib.neg_infinity] );
    ("sum_int", [%expr Ppx_drover_runtime.Stdlib.( + )], [%expr 0]);
    ("min_int", [%expr Ppx_drover_runtime.Stdlib.Int.min], [%expr Ppx_drover_runtime.Stdlib.max_int]);
    ("max_int", [%expr Ppx_drover_runtime.Stdlib.Int.max], [%expr Ppx_drover_runtime.Stdlib.min_int]);
  ]

let extension (name, expand) =
  Context_free.Rule.extension
    (Extension.V3.declare ("drover." ^ name) Extension.Context.expression
       Ast_pattern.(single_expr_payload __)
       expand)

let () =
  let reduction (name, combine, identity) =
    (name, fun ~ctxt e -> reduction ~ctxt ("for%" ^ name) ~combine ~identity e)
  in
  let all = ("par", par) :: ("reduce", for_reduce) :: List.map reduction reductions in
  Driver.register_transformation "drover" ~rules:(List.map extension all) ~impl:Variables.own
