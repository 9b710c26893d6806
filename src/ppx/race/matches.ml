open Ppxlib
open Ast_builder.Default

type holder = Itself | Inline_record | Argument
type read = { variable : string; holder : holder; field : string; loc : location }
type t = { pattern : pattern; reads : read list; inline : (string * (string * holder)) list }

let count = ref 0

let alias p =
  incr count;
  let name = Printf.sprintf "_drover_race_%d" !count in
  let loc = { p.ppat_loc with loc_ghost = true } in
  (name, ppat_alias ~loc p { txt = name; loc })

(* In an alternative no variable is added, as the others would need it, too. The whole gets one, and the fields that
   all of them have are told of. *)

let rec alternatives p =
  match p.ppat_desc with
  | Ppat_or (a, b) -> alternatives a @ alternatives b
  | Ppat_alias (p, _) | Ppat_constraint (p, _) -> alternatives p
  | _ -> [ p ]

let fields_of p =
  match p.ppat_desc with
  | Ppat_record (fields, _) -> List.map fst fields
  | Ppat_construct (c, Some (_, { ppat_desc = Ppat_record (fields, _); _ }))
    when match File.arguments c.txt with Inline _ -> true | Values | Unknown -> false ->
      List.map fst fields
  | _ -> []

let common_fields p =
  match List.map fields_of (alternatives p) with
  | [] -> []
  | first :: others ->
      let has l fields = List.exists (fun { txt; _ } -> File.last txt = File.last l.txt) fields in
      List.filter (fun l -> File.may_be_mutable l.txt && List.for_all (has l) others) first

let reading pattern =
  let reads = ref [] and inline = ref [] in
  let read : 'a. _ -> _ -> (Longident.t loc * 'a) list -> unit =
   fun holder variable fields ->
    let add ({ txt; loc }, _) =
      if File.may_be_mutable txt then
        reads := { variable; holder; field = File.last txt; loc } :: !reads
    in
    List.iter add fields
  in
  let is_read fields = List.exists (fun ({ txt; _ }, _) -> File.may_be_mutable txt) fields in
  let rec go p =
    let with_ ppat_desc = { p with ppat_desc } in
    match p.ppat_desc with
    | Ppat_record (fields, closed) ->
        let p = with_ (Ppat_record (List.map (fun (l, p) -> (l, go p)) fields, closed)) in
        if not (is_read fields) then p
        else begin
          let name, p = alias p in
          read Itself name fields;
          p
        end
    | Ppat_or _ -> (
        match common_fields p with
        | [] -> p
        | fields ->
            let name, p = alias p in
            read Itself name (List.map (fun l -> (l, ())) fields);
            p)
    | Ppat_alias (q, name) -> with_ (Ppat_alias (go q, name))
    | Ppat_constraint (q, t) -> with_ (Ppat_constraint (go q, t))
    | Ppat_tuple l -> with_ (Ppat_tuple (List.map go l))
    | Ppat_array l -> with_ (Ppat_array (List.map go l))
    | Ppat_construct (c, Some (types, q)) -> construct p c types q
    | Ppat_variant (c, Some q) -> with_ (Ppat_variant (c, Some (go q)))
    | Ppat_exception q -> with_ (Ppat_exception (go q))
    | _ -> p
  and construct p c types q =
    let with_ q = { p with ppat_desc = Ppat_construct (c, Some (types, q)) } in
    let aliased holder q =
      let name, p = alias (with_ q) in
      (match q.ppat_desc with
      | Ppat_record (fields, _) -> read holder name fields
      | Ppat_var { txt; _ } | Ppat_alias (_, { txt; _ }) ->
          inline := (txt, (name, holder)) :: !inline
      | _ -> ());
      p
    in
    match (File.arguments c.txt, q.ppat_desc) with
    | Inline _, Ppat_record (fields, closed) ->
        aliased Inline_record
          { q with ppat_desc = Ppat_record (List.map (fun (l, p) -> (l, go p)) fields, closed) }
    | Inline _, (Ppat_var _ | Ppat_alias _) -> aliased Inline_record q
    | Unknown, Ppat_record (fields, closed) ->
        aliased Argument
          { q with ppat_desc = Ppat_record (List.map (fun (l, p) -> (l, go p)) fields, closed) }
    | Unknown, (Ppat_var _ | Ppat_alias _) -> aliased Argument q
    | _ -> with_ (go q)
  in
  let pattern = go pattern in
  { pattern; reads = List.rev !reads; inline = !inline }
