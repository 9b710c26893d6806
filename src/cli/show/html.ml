open Tyxml.Html

type part = Html_types.div_content elt

(* Of a page, or of a picture that stands alone, perhaps in a page of others. *)
let palette root =
  Printf.sprintf
    {|
%s { color-scheme: light dark; --fg: #1c2330; --soft: #5d6675; --bg: #fbfaf7; --line: #dcd8cf;
  --s0: #b4541a; --s1: #2b6cb0; --s2: #3d7a30; --s3: #8a4fae; --s4: #8a6a00; }
@media (prefers-color-scheme: dark) { %s { --fg: #e4e1d9; --soft: #a4abb7; --bg: #16181d; --line: #333842;
  --s0: #f0975a; --s1: #7ab4f0; --s2: #8fd07f; --s3: #c99be6; --s4: #e2c14b; } }
|}
    root root

let shapes =
  {|
svg { font-family: system-ui, sans-serif; max-width: 100%; height: auto; }
svg text { font-size: 11px; } svg .soft { fill: var(--soft); } svg .fg { fill: var(--fg); } svg .strong { fill: var(--fg); font-weight: 600; }
svg .ground { fill: var(--bg); } .grid { stroke: var(--line); } .mark { stroke: var(--fg); }
.ideal { stroke: var(--soft); stroke-dasharray: 3 4; }
polyline { fill: none; stroke-width: 2; }
|}

(* One rule for each class of line that a plot may use. *)
let series =
  List.init 5 (fun i ->
      Printf.sprintf
        "polyline.s%d { stroke: var(--s%d); } circle.s%d, rect.s%d { fill: var(--s%d); } \
         circle.d%d, polygon.s%d { fill: var(--s%d); opacity: .35; } span.s%d { --c: var(--s%d); }\n"
        i i i i i i i i i i)
  |> String.concat ""

(* On a telephone a wide picture shrinks. *)
let narrow selector = "@media (max-width: 30rem) { " ^ selector ^ " { font-size: 13.5px; } }\n"
let picture_style = palette "svg" ^ shapes ^ series ^ narrow "svg text"

let style =
  {|
body { font: 16px/1.5 system-ui, sans-serif; color: var(--fg); background: var(--bg); margin: 0 auto;
  padding: 1.5rem 1rem 4rem; max-width: 60rem; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin: 2.4rem 0 .2rem; }
p { margin: .1rem 0; color: var(--soft); overflow-wrap: anywhere; } a { color: var(--s1); }
nav ul { columns: 10rem; padding: 0; margin: .4rem 0; list-style: none; font-size: .9rem; }
.scroll { overflow-x: auto; margin: .7rem 0; }
.scroll:focus-visible, a:focus-visible, abbr:focus-visible { outline: 2px solid var(--s1); }
table { border-collapse: collapse; font-size: .87rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
caption { position: absolute; clip-path: inset(50%); }
th, td { padding: .22rem .75rem; text-align: right; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 500; } tbody th { font-weight: inherit; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
abbr { text-decoration: underline dotted; cursor: help; }
dl { font-size: .9rem; } dt { font-weight: 600; } dd { margin: 0 0 .5rem; color: var(--soft); overflow-wrap: anywhere; }
.wide svg { max-width: 46rem; }
.plots { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin-top: .8rem; }
figure { margin: 0; flex: 1 1 17rem; max-width: 26rem; } svg { width: 100%; height: auto; }
h3 { font-size: .85rem; font-weight: 500; color: var(--soft); margin: 0; }
.legend { font-size: .85rem; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
.legend span::before { content: ""; display: inline-block; width: .7em; height: .7em; border-radius: 50%;
  margin-right: .4em; background: var(--c); }
|}

let paragraph text = p [ txt text ]
let anchor name = String.map (fun c -> if c = ' ' then '-' else c) name

let section title texts =
  div (h2 ~a:[ a_id (anchor title) ] [ txt title ] :: List.map paragraph texts)

let contents titles =
  let entry title = li [ a ~a:[ a_href ("#" ^ anchor title) ] [ txt title ] ] in
  nav ~a:[ a_aria "label" [ "contents" ] ] [ ul (List.map entry titles) ]

let definitions pairs =
  dl (List.concat_map (fun (term, text) -> [ dt [ txt term ]; dd [ txt text ] ]) pairs)

(* A word that hovering explains, or the keyboard's focus. *)
let explained terms word =
  match List.assoc_opt word terms with
  | Some text -> abbr ~a:[ a_title text; a_tabindex 0 ] [ txt word ]
  | None -> txt word

let grid ?(terms = []) (t : Table.t) =
  let column word = th ~a:[ Unsafe.string_attrib "scope" "col" ] [ explained terms word ] in
  let row = function
    | [] -> tr []
    | name :: cells ->
        let head = th ~a:[ Unsafe.string_attrib "scope" "row" ] [ txt name ] in
        tr (head :: List.map (fun text -> td [ txt text ]) cells)
  in
  let head = thead [ tr (List.map column t.header) ] in
  div
    ~a:[ a_class [ "scroll" ]; a_tabindex 0; a_role [ "region" ]; a_aria "label" [ t.title ] ]
    [ Tyxml.Html.table ~caption:(caption [ txt t.title ]) ~thead:head (List.map row t.rows) ]

let table ?(terms = []) (t : Table.t) = div [ section t.title t.notes; grid ~terms t ]
let picture_of (title, picture) = figure [ h3 [ txt title ]; Picture.to_html picture ]
let wide picture = div ~a:[ a_class [ "wide" ] ] [ Picture.to_html picture ]

let figures plots ~legend =
  let entry i name = span ~a:[ a_class [ Printf.sprintf "s%d" i ] ] [ txt name ] in
  div
    [
      div ~a:[ a_class [ "plots" ] ] (List.map picture_of plots);
      div ~a:[ a_class [ "legend" ] ] (List.mapi entry legend);
    ]

let document ~title:words ~style:sheet parts =
  let viewport = "width=device-width, initial-scale=1" in
  let head =
    head
      (title (txt words))
      [
        meta ~a:[ a_charset "utf-8" ] ();
        meta ~a:[ a_name "viewport"; a_content viewport ] ();
        Tyxml.Html.style [ Unsafe.data sheet ];
      ]
  in
  Format.asprintf "%a@." (pp ()) (html ~a:[ a_lang "en" ] head (body [ main parts ]))

let page_style = palette ":root" ^ shapes ^ series ^ style ^ narrow ".wide svg text"
let page ~title parts = document ~title ~style:page_style (h1 [ txt title ] :: parts)
