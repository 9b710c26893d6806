(* Each access to what may be mutable is told to [Drover_race.Tell], with its place:

     a.(i)          (fun a i -> Tell.read_array site a i; a.(i)) a i
     r.f <- v       Tell.write_field site label r; r.f <- v
     Hashtbl.add    Tell.at site; Hashtbl.add         where Hashtbl is that of Drover_race.Std, which is opened

   So types, the order of evaluation and unboxed floats stay what they were. Types are not known here: see [File] for
   what is known instead. *)

open Ppxlib
open Ast_builder.Default
module Names = Set.Make (String)

let racy =
  Attribute.declare "drover.racy" Attribute.Context.expression
    Ast_pattern.(single_expr_payload (estring __))
    Fun.id

(* As a report has it. *)
let short e =
  let s = Format.asprintf "%a" Pprintast.expression e in
  let s = String.map (function '\n' -> ' ' | c -> c) s in
  if String.length s > 40 then String.sub s 0 37 ^ "..." else s

(* Calls that neither access anything nor begin a strand. *)
let silent =
  [
    "String"; "List"; "Int"; "Float"; "Option"; "Char"; "Printf"; "Fun"; "Result"; "Int64"; "Int32";
  ]

(* Of Drover, where that is opened. *)
let beginners = [ "both"; "all"; "async"; "await"; "run"; "spawn" ]
let begins name = List.mem name beginners || String.starts_with ~prefix:"parallel_" name

let is_noted = function
  | Lident name -> begins name
  | Ldot (path, name) ->
      (match name.[0] with 'a' .. 'z' | '_' -> true | _ -> false)
      && not (List.mem (File.last path) silent)
  | Lapply _ -> false

let in_turn ~loc first e = pexp_sequence ~loc first e

let teller : Matches.holder -> string = function
  | Itself | Inline_record -> "field"
  | Argument -> "field_of_argument"

let tell_field ~loc kind holder what field block =
  let teller = evar ~loc ("Drover_race.Tell." ^ kind ^ "_" ^ teller holder) in
  [%expr [%e teller] [%e File.site ~loc what] [%e File.label ~loc field] [%e block]]

let tell_reads reads e =
  let tell { Matches.variable; holder; field; loc } e =
    let loc = { loc with loc_ghost = true } in
    in_turn ~loc (tell_field ~loc "read" holder ("{ " ^ field ^ " }") field (evar ~loc variable)) e
  in
  List.fold_right tell reads e

let variable ~loc i =
  (pvar ~loc (Printf.sprintf "drover_race_%c" i), evar ~loc (Printf.sprintf "drover_race_%c" i))

(* [f], an access, as a function that tells of it. *)
let telling ~loc f { Accesses.arity; tell } what =
  let patterns, args =
    List.split (List.init arity (fun i -> variable ~loc (Char.chr (Char.code 'a' + i))))
  in
  let told = tell loc (File.site ~loc what) args in
  let body = in_turn ~loc told (pexp_apply ~loc f (List.map (fun e -> (Nolabel, e)) args)) in
  List.fold_right (fun p e -> pexp_fun ~loc Nolabel None p e) patterns body

let path_of e = match e.pexp_desc with Pexp_ident { txt; _ } -> Some txt | _ -> None
let is_variable e = match e.pexp_desc with Pexp_ident { txt = Lident _; _ } -> true | _ -> false

let rewriter =
  object (self)
    inherit Ast_traverse.map as super

    (* References that are local; variables that may be inline records; instance variables that are mutable. *)
    val mutable local = Names.empty
    val mutable inline = []
    val mutable instance = Names.empty

    method private scope : 'a. (unit -> 'a) -> 'a =
      fun f ->
        let before = (local, inline, instance) in
        let result = f () in
        let local', inline', instance' = before in
        local <- local';
        inline <- inline';
        instance <- instance';
        result

    (* What a pattern reads, with its variables in scope. *)
    method private read p =
      let { Matches.pattern; reads; inline = more } = Matches.reading p in
      inline <- more @ inline;
      (pattern, reads)

    method! attributes l = l

    method! case c =
      self#scope (fun () ->
          let pc_lhs, reads = self#read c.pc_lhs in
          let c = super#case { c with pc_lhs } in
          match c.pc_guard with
          | Some guard -> { c with pc_guard = Some (tell_reads reads guard) }
          | None -> { c with pc_rhs = tell_reads reads c.pc_rhs })

    method private let_ e recursive bindings body =
      let is_local b =
        match (b.pvb_pat.ppat_desc, b.pvb_expr.pexp_desc) with
        | ( Ppat_var { txt; _ },
            Pexp_apply ({ pexp_desc = Pexp_ident { txt = Lident "ref"; _ }; _ }, [ _ ]) )
          when Local_refs.is_local txt body ->
            Some txt
        | _ -> None
      in
      let fresh = List.filter_map is_local bindings in
      self#scope (fun () ->
          let values = List.map (fun b -> self#expression b.pvb_expr) bindings in
          let read b =
            match recursive with
            | Recursive -> (b.pvb_pat, [])
            | Nonrecursive -> self#read b.pvb_pat
          in
          let patterns, reads = List.split (List.map read bindings) in
          let bind b pvb_pat pvb_expr = { b with pvb_pat; pvb_expr } in
          let bindings =
            List.map2 (fun (b, p) v -> bind b p v) (List.combine bindings patterns) values
          in
          local <- Names.union (Names.of_list fresh) local;
          let body = tell_reads (List.concat reads) (self#expression body) in
          { e with pexp_desc = Pexp_let (recursive, bindings, body) })

    method private function_ e params constraint_ body =
      self#scope (fun () ->
          let param p =
            match p.pparam_desc with
            | Pparam_val (label, default, q) ->
                let default = Option.map self#expression default in
                let q, reads = self#read q in
                ({ p with pparam_desc = Pparam_val (label, default, q) }, reads)
            | Pparam_newtype _ -> (p, [])
          in
          let params, reads = List.split (List.map param params) in
          let body =
            match body with
            | Pfunction_body body ->
                Pfunction_body (tell_reads (List.concat reads) (self#expression body))
            | Pfunction_cases (cases, loc, attributes) ->
                let cases = List.map self#case cases in
                let told c = { c with pc_rhs = tell_reads (List.concat reads) c.pc_rhs } in
                Pfunction_cases (List.map told cases, loc, attributes)
          in
          { e with pexp_desc = Pexp_function (params, constraint_, body) })

    (* [go r] with [r] evaluated once, and told of. *)
    method private field ~loc kind r field what go =
      match path_of r with
      | Some (Lident x) when List.mem_assoc x inline ->
          let holder, how = List.assoc x inline in
          in_turn ~loc (tell_field ~loc kind how what field (evar ~loc holder)) (go r)
      | _ when is_variable r -> in_turn ~loc (tell_field ~loc kind Itself what field r) (go r)
      | _ ->
          let pattern, value = variable ~loc 'r' in
          [%expr
            let [%p pattern] = [%e self#expression r] in
            [%e in_turn ~loc (tell_field ~loc kind Itself what field value) (go value)]]

    method private apply e f args =
      let loc = { e.pexp_loc with loc_ghost = true } in
      let path = path_of f in
      let values = List.map (fun (label, e) -> (label, self#expression e)) args in
      let plain = List.for_all (fun (label, _) -> label = Nolabel) args in
      match (path, Option.bind path Accesses.find, args) with
      | Some (Lident _), Some _, (_, { pexp_desc = Pexp_ident { txt = Lident x; _ }; _ }) :: _
        when Names.mem x local ->
          { e with pexp_desc = Pexp_apply (f, values) }
      | Some path, Some access, _ when plain && List.length args = access.arity ->
          let what = Accesses.text path (List.map (fun (_, e) -> short e) args) in
          { e with pexp_desc = Pexp_apply (telling ~loc f access what, values) }
      | Some path, None, _ when is_noted path ->
          let what = String.concat "." (Longident.flatten_exn path) in
          let f =
            in_turn ~loc [%expr Drover_race.Tell.at [%e File.site ~loc what]] (self#expression f)
          in
          { e with pexp_desc = Pexp_apply (f, values) }
      | _ -> { e with pexp_desc = Pexp_apply (self#expression f, values) }

    method! expression e =
      let loc = { e.pexp_loc with loc_ghost = true } in
      match Attribute.consume racy e with
      | Some (e, _) ->
          [%expr
            Drover_race.Tell.at Drover_race.Tell.nowhere;
            [%e e]]
      | None -> (
          match e.pexp_desc with
          | Pexp_let (recursive, bindings, body) -> self#let_ e recursive bindings body
          | Pexp_function (params, c, body) -> self#function_ e params c body
          | Pexp_apply (f, args) -> self#apply e f args
          | Pexp_field (r, l) when File.may_be_mutable l.txt ->
              let name = File.last l.txt in
              self#field ~loc "read" r name
                (short r ^ "." ^ name)
                (fun r -> { e with pexp_desc = Pexp_field (r, l) })
          | Pexp_setfield (r, l, v) ->
              let name = File.last l.txt in
              let v = self#expression v in
              self#field ~loc "write" r name
                (short r ^ "." ^ name ^ " <- ..")
                (fun r -> { e with pexp_desc = Pexp_setfield (r, l, v) })
          | Pexp_ident { txt = Lident x; _ } when Names.mem x instance ->
              in_turn ~loc (self#instance_variable ~loc "read" x x) e
          | Pexp_setinstvar (x, v) ->
              let v = self#expression v in
              in_turn ~loc
                (self#instance_variable ~loc "write" x.txt (x.txt ^ " <- .."))
                { e with pexp_desc = Pexp_setinstvar (x, v) }
          | Pexp_ident { txt; _ } when File.makes_thread txt ->
              in_turn ~loc [%expr Drover_race.Tell.thread ()] e
          | Pexp_ident { txt; _ } -> (
              match Accesses.find txt with
              | Some access -> telling ~loc e access (File.last txt)
              | None -> Of_domainslib.telling ~loc txt e)
          | _ -> super#expression e)

    (* Objects *)

    method private instance_variable ~loc kind name what =
      let teller = evar ~loc ("Drover_race.Tell." ^ kind ^ "_field") in
      [%expr [%e teller] [%e File.site ~loc what] [%e File.variable ~loc name] drover_race_self]

    (* Those that are mutable and that nothing in the class has the name of. *)
    method! class_structure c =
      let loc = { c.pcstr_self.ppat_loc with loc_ghost = true } in
      let mutables =
        List.filter_map
          (fun f ->
            match f.pcf_desc with
            | Pcf_val (x, Mutable, _) when not (File.defines x.txt) -> Some x.txt
            | _ -> None)
          c.pcstr_fields
      in
      let self_pattern = ppat_alias ~loc c.pcstr_self { txt = "drover_race_self"; loc } in
      self#scope (fun () ->
          inline <- [];
          let field f =
            match f.pcf_desc with
            | Pcf_method _ | Pcf_initializer _ ->
                self#scope (fun () ->
                    instance <- Names.of_list mutables;
                    self#class_field f)
            | _ ->
                self#scope (fun () ->
                    instance <- Names.empty;
                    self#class_field f)
          in
          let pcstr_fields = List.map field c.pcstr_fields in
          let is_told = mutables <> [] in
          { pcstr_self = (if is_told then self_pattern else c.pcstr_self); pcstr_fields })
  end

let structure str =
  if str = [] then []
  else begin
    File.start str;
    let str = rewriter#structure str in
    File.prelude () @ str
  end

let () =
  Driver.register_transformation "drover_race"
    ~instrument:(Driver.Instrument.make structure ~position:After)
