open Ppxlib

exception Escapes

let operations = [ "!"; ":="; "incr"; "decr" ]

let uses x =
  object (self)
    inherit Ast_traverse.iter as super
    val mutable is_inside = false

    method! expression e =
      match e.pexp_desc with
      | Pexp_ident { txt = Lident y; _ } when y = x -> raise_notrace Escapes
      | Pexp_apply
          ( { pexp_desc = Pexp_ident { txt = Lident operation; _ }; _ },
            (Nolabel, { pexp_desc = Pexp_ident { txt = Lident y; _ }; _ }) :: rest )
        when y = x && List.mem operation operations ->
          if is_inside then raise_notrace Escapes;
          List.iter (fun (_, e) -> self#expression e) rest
      | Pexp_function _ | Pexp_lazy _ | Pexp_object _ | Pexp_letop _ | Pexp_extension _
      | Pexp_pack _ | Pexp_letmodule _ ->
          let before = is_inside in
          is_inside <- true;
          super#expression e;
          is_inside <- before
      | _ -> super#expression e

    (* Another variable of that name. *)
    method! pattern p =
      (match p.ppat_desc with
      | (Ppat_var { txt; _ } | Ppat_alias (_, { txt; _ })) when txt = x -> raise_notrace Escapes
      | _ -> ());
      super#pattern p
  end

let is_local x body = match (uses x)#expression body with () -> true | exception Escapes -> false
