(* What the search of the manual looks through: a place is a heading or a name of the library, its address from the root
   of the manual, and the paragraphs that belong to it. *)

type t = { address : string; name : string; mutable texts : string list  (** the last one first *) }

(* "drover/Drover/Array/index.html" is the page of the module Drover.Array. *)
let module_of page =
  match String.split_on_char '/' page with
  | _ :: rest when List.length rest > 1 ->
      Some (String.concat "." (List.rev (List.tl (List.rev rest))))
  | _ -> None

let is_block tag =
  Html.is_heading tag
  || List.mem tag [ "p"; "li"; "tr"; "pre"; "div"; "dt"; "dd"; "ul"; "ol"; "table"; "td"; "th" ]

let words text = String.concat " " (Str.split (Str.regexp "[ \n]+") text)

(* The name in the id of a specification, such as "val-map" or "type-t". *)
let specified id =
  match String.rindex_opt id '-' with
  | Some i -> String.sub id (i + 1) (String.length id - i - 1)
  | None -> id

let of_page page html =
  let title = ref (Option.value (module_of page) ~default:"") in
  let places = ref [] in
  let text = Buffer.create 1000 and heading = ref None and in_row = ref false in
  let take () =
    let taken = words (Buffer.contents text) in
    Buffer.clear text;
    taken
  in
  let enter address name = places := { address; name; texts = [] } :: !places in
  let flush () =
    match (take (), !places) with
    | "", _ | _, [] -> ()
    | paragraph, place :: _ -> place.texts <- paragraph :: place.texts
  in
  let end_heading tag id =
    let name = take () in
    if tag = "h1" then begin
      if !title = "" then title := name;
      enter page !title
    end
    else enter (page ^ "#" ^ id) (Printf.sprintf "%s, in %s" name !title)
  in
  let token : Html.token -> unit = function
    | Text s -> Buffer.add_string text s
    | Opening { tag; attributes } when Html.is_heading tag ->
        flush ();
        heading := Html.attribute "id" attributes
    | Closing tag when Html.is_heading tag -> end_heading tag (Option.value !heading ~default:"")
    | Opening { tag = "div"; attributes } -> (
        flush ();
        match (Html.attribute "class" attributes, Html.attribute "id" attributes) with
        | Some c, Some id when String.starts_with ~prefix:"spec " c ->
            enter (page ^ "#" ^ id) (!title ^ "." ^ specified id)
        | _ -> ())
    | (Opening { tag; _ } | Closing tag) as token ->
        if tag = "tr" then in_row := token <> Closing tag;
        if is_block tag then if !in_row then Buffer.add_char text ' ' else flush ()
  in
  List.iter token (Html.body (Html.tokens html));
  flush ();
  (* A module has a page of its own. *)
  let is_module p = String.starts_with ~prefix:(page ^ "#module-") p.address in
  List.filter (fun p -> not (is_module p)) (List.rev !places)

let json_string s =
  let buffer = Buffer.create (String.length s + 2) in
  let escaped = function
    | '"' -> "\\\""
    | '\\' -> "\\\\"
    | c when Char.code c < 32 -> " "
    | c -> String.make 1 c
  in
  String.iter (fun c -> Buffer.add_string buffer (escaped c)) s;
  "\"" ^ Buffer.contents buffer ^ "\""

let to_javascript places =
  let place { address; name; texts } =
    Printf.sprintf "[%s, %s, [%s]],\n" (json_string address) (json_string name)
      (String.concat ", " (List.rev_map json_string texts))
  in
  "const places = [\n" ^ String.concat "" (List.map place places) ^ "]\n"
