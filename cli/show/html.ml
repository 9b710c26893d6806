open Tyxml.Html

type part = Html_types.div_content elt

let style =
  {|
:root { color-scheme: light dark; --fg: #1c2330; --soft: #5d6675; --bg: #fbfaf7; --line: #dcd8cf;
  --s0: #b4541a; --s1: #2b6cb0; --s2: #4a8f3c; --s3: #8a4fae; --s4: #a98200; }
@media (prefers-color-scheme: dark) { :root { --fg: #e4e1d9; --soft: #9aa1ad; --bg: #16181d; --line: #333842;
  --s0: #f0975a; --s1: #7ab4f0; --s2: #8fd07f; --s3: #c99be6; --s4: #e2c14b; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--fg); background: var(--bg); margin: 0 auto;
  padding: 1.5rem 1rem 4rem; max-width: 60rem; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin: 2.4rem 0 .2rem; }
p { margin: .1rem 0; color: var(--soft); }
.scroll { overflow-x: auto; margin: .7rem 0; }
table { border-collapse: collapse; font-size: .87rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: .22rem .75rem; text-align: right; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; } th:first-child, td:first-child { text-align: left; padding-left: 0; }
.plots { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin-top: .8rem; }
figure { margin: 0; flex: 1 1 17rem; max-width: 26rem; } svg { width: 100%; height: auto; }
h3 { font-size: .85rem; font-weight: 500; color: var(--soft); margin: 0; }
svg text { font-size: 11px; fill: var(--soft); } .grid { stroke: var(--line); }
.ideal { stroke: var(--soft); stroke-dasharray: 3 4; }
polyline { fill: none; stroke-width: 2; }
.legend { font-size: .85rem; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
.legend span::before { content: ""; display: inline-block; width: .7em; height: .7em; border-radius: 50%;
  margin-right: .4em; background: var(--c); }
|}

(* One rule for each class of line that a plot may use. *)
let series =
  List.init 5 (fun i ->
      Printf.sprintf
        "polyline.s%d { stroke: var(--s%d); } circle.s%d, rect.s%d { fill: var(--s%d); } span.s%d \
         { --c: var(--s%d); }\n"
        i i i i i i i)
  |> String.concat ""

let paragraph text = p [ txt text ]
let section title texts = div (h2 [ txt title ] :: List.map paragraph texts)
let row cell cells = tr (List.map (fun text -> cell [ txt text ]) cells)

let grid (t : Table.t) =
  let head = thead [ row (th ?a:None) t.header ] in
  div
    ~a:[ a_class [ "scroll" ] ]
    [ Tyxml.Html.table ~thead:head (List.map (row (td ?a:None)) t.rows) ]

let table (t : Table.t) = div [ section t.title t.notes; grid t ]

let figures plots ~legend =
  let entry i name = span ~a:[ a_class [ Printf.sprintf "s%d" i ] ] [ txt name ] in
  let plot (title, picture) = figure [ h3 [ txt title ]; Picture.to_html picture ] in
  div
    [
      div ~a:[ a_class [ "plots" ] ] (List.map plot plots);
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
  Format.asprintf "%a@." (pp ()) (html ~a:[ a_lang "en" ] head (body parts))

let page ~title parts = document ~title ~style:(style ^ series) (h1 [ txt title ] :: parts)
