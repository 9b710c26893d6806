(* Variables.

   A function reads a variable from outside of it from memory, at each use. In a loop of two flops that is
   a fifth of the time (y := y + a x, a vector of 10,000). So a piece of a loop begins with

     let x = x in let x = if true then x else x in

   for each variable. The compiler knows that the second x has the value, the type and the code of the
   first, but makes a register of it, where [let x = x] only makes another name.

   These are the variables that the piece reads. Left out are those that it

   - binds somewhere;
   - calls: some of them are primitives, which a copy would turn into functions;
   - reads in an [open], where they may be the module's, or in other definitions and extensions;
   - names with [__] at the beginning, as generated code does, and the compiler: each [__LINE__] is another;

   and what may belong to an object around it: an instance variable, which anything that the piece calls
   may change, or the name of the object itself, which alone has private methods. The text of a class has
   these names, unless it inherits. The expander of a loop does not see the classes around it, so it only
   marks the pieces, and the copies are made afterwards. *)

open Ppxlib
open Ast_builder.Default
module Names = Map.Make (String)

let is_variable name =
  match name.[0] with 'a' .. 'z' | '_' -> not (String.starts_with ~prefix:"__" name) | _ -> false

let bound p =
  match p.ppat_desc with Ppat_var { txt; _ } | Ppat_alias (_, { txt; _ }) -> Some txt | _ -> None

let variables piece =
  let noted = ref Names.empty in
  let exclude name = noted := Names.add name None !noted in
  let read name place =
    if not (Names.mem name !noted) then noted := Names.add name (Some place) !noted
  in
  let visit =
    object (self)
      inherit Ast_traverse.iter as super
      val mutable elsewhere = false

      method! expression e =
        match e.pexp_desc with
        | Pexp_ident { txt = Lident name; _ } ->
            if is_variable name && not elsewhere then read name e.pexp_loc
        | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Lident name; _ }; _ }, args) ->
            exclude name;
            List.iter (fun (_, arg) -> self#expression arg) args
        | Pexp_open _ -> self#elsewhere (fun () -> super#expression e)
        | _ -> super#expression e

      method! pattern p =
        Option.iter exclude (bound p);
        super#pattern p

      method private elsewhere visit =
        let before = elsewhere in
        elsewhere <- true;
        visit ();
        elsewhere <- before

      method! module_expr m = self#elsewhere (fun () -> super#module_expr m)
      method! class_structure c = self#elsewhere (fun () -> super#class_structure c)
      method! extension e = self#elsewhere (fun () -> super#extension e)
      method! attribute _ = ()
    end
  in
  visit#expression piece;
  Names.filter_map (fun _ noted -> noted) !noted

(* [piece] with its own variables, but for those that are [shared]. *)
let with_own shared piece =
  let loc = { piece.pexp_loc with loc_ghost = true } in
  let bind name place piece =
    let pattern = pvar ~loc name and own = evar ~loc name in
    [%expr
      let [%p pattern] = [%e evar ~loc:{ place with loc_ghost = true } name] in
      let [%p pattern] = if true then [%e own] else [%e own] in
      [%e piece]]
  in
  let variables = Names.filter (fun name _ -> not (shared name)) (variables piece) in
  Names.fold bind variables piece

let mark = "drover.piece"
let is_piece = Attribute.declare_flag mark Attribute.Context.expression

let piece e =
  let loc = { e.pexp_loc with loc_ghost = true } in
  let marked = attribute ~loc ~name:{ txt = mark; loc } ~payload:(PStr []) in
  { e with pexp_attributes = marked :: e.pexp_attributes }

let bound_in =
  object
    inherit [string list] Ast_traverse.fold as super
    method! pattern p names = super#pattern p (Option.to_list (bound p) @ names)
  end

(* [of_object c name] says whether [name] may be an instance variable of a class, or its object. *)
let of_object c =
  let names f = match f.pcf_desc with Pcf_val ({ txt; _ }, _, _) -> [ txt ] | _ -> []
  and inherits f = match f.pcf_desc with Pcf_inherit _ -> true | _ -> false in
  let known = bound_in#pattern c.pcstr_self (List.concat_map names c.pcstr_fields) in
  if List.exists inherits c.pcstr_fields then fun _ -> true else fun name -> List.mem name known

let own =
  let rewrite =
    object
      inherit [string -> bool] Ast_traverse.map_with_context as super

      method! class_structure shared c =
        let of_this = of_object c in
        super#class_structure (fun name -> of_this name || shared name) c

      method! expression shared e =
        match Attribute.consume is_piece e with
        | Some (e, ()) -> super#expression shared (with_own shared e)
        | None -> super#expression shared e
    end
  in
  rewrite#structure (fun _ -> false)
