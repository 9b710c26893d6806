(* Variables.

   A function reads a variable from outside of it from memory, at each use. In a loop of two flops that is
   a fifth of the time (y := y + a x, a vector of 10,000). So a piece of a loop begins with

     let x = x in let x = if true then x else x in

   for each variable. The compiler knows that the second x has the value, the type and the code of the
   first, but makes a register of it, where [let x = x] only makes another name.

   These are the variables that the body reads. Left out are those that it

   - binds somewhere;
   - calls: some of them are primitives, which a copy would turn into functions;
   - reads in an [open], where they may be the module's, or in other definitions and extensions.

   If it may change an object's fields, which look like variables, it has none. *)

open Ppxlib
open Ast_builder.Default
module Names = Map.Make (String)

exception Changes_fields

let variables index body =
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
            let is_variable = match name.[0] with 'a' .. 'z' | '_' -> true | _ -> false in
            if is_variable && not elsewhere then read name e.pexp_loc
        | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Lident name; _ }; _ }, args) ->
            exclude name;
            List.iter (fun (_, arg) -> self#expression arg) args
        | Pexp_send _ | Pexp_setinstvar _ -> raise_notrace Changes_fields
        | Pexp_open _ -> self#elsewhere (fun () -> super#expression e)
        | _ -> super#expression e

      method! pattern p =
        (match p.ppat_desc with
        | Ppat_var { txt; _ } | Ppat_alias (_, { txt; _ }) -> exclude txt
        | _ -> ());
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
  match
    visit#pattern index;
    visit#expression body
  with
  | () -> Names.filter_map (fun _ noted -> noted) !noted
  | exception Changes_fields -> Names.empty

let own ~loc index body piece =
  let bind name place piece =
    let pattern = pvar ~loc name and own = evar ~loc name in
    [%expr
      let [%p pattern] = [%e evar ~loc:{ place with loc_ghost = true } name] in
      let [%p pattern] = if true then [%e own] else [%e own] in
      [%e piece]]
  in
  Names.fold bind (variables index body) piece
