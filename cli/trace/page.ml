open Recording

(* The page holds the slices as one array of numbers, five for each, and draws them on a canvas. *)

let style_text =
  {|
:root { color-scheme: light dark; --fg: #1c2330; --soft: #5d6675; --bg: #fbfaf7; --line: #dcd8cf;
  --task: #2b6cb0; --name: #4a8f3c; --gc: #c2410c; --park: #c9c6be; --mark: #8a4fae; }
@media (prefers-color-scheme: dark) { :root { --fg: #e4e1d9; --soft: #9aa1ad; --bg: #16181d; --line: #333842;
  --task: #5b9bd8; --name: #7fc06f; --gc: #f0975a; --park: #3d424c; --mark: #c99be6; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--fg); background: var(--bg); margin: 0; padding: 1rem; }
h1 { font-size: 1.2rem; margin: 0; overflow-wrap: anywhere; } p { margin: .2rem 0; color: var(--soft); font-size: .9rem; }
canvas { width: 100%; display: block; touch-action: none; cursor: grab; border-top: 1px solid var(--line); margin-top: .6rem; }
.key span { margin-right: 1rem; white-space: nowrap; } .key span::before { content: ""; display: inline-block;
  width: .7em; height: .7em; margin-right: .4em; background: var(--c); }
#about { min-height: 3em; color: var(--fg); }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: .3rem; padding: 0 .8rem; }
|}

let script_text =
  {|
const canvas = document.querySelector('canvas'), g = canvas.getContext('2d'), about = document.querySelector('#about');
const N = D.slices.length / 5, top = 22, lane = 46, colour = {};
const kinds = ['task', 'name', 'gc', 'park'], kindRow = [[14, 26], [20, 14], [14, 8], [14, 26]];
const end = D.length; let from = 0, to = end, width = 0;
const row = new Map(D.tracks.map((t, i) => [t.ring, i]));
function ns(t) { return t < 1e3 ? t.toFixed(0) + ' ns' : t < 1e6 ? (t / 1e3).toPrecision(3) + ' us'
  : t < 1e9 ? (t / 1e6).toPrecision(3) + ' ms' : (t / 1e9).toPrecision(3) + ' s'; }
function x(t) { return (t - from) / (to - from) * width; }
function size() {
  const css = getComputedStyle(document.documentElement), r = devicePixelRatio || 1;
  for (const k of ['fg', 'soft', 'line', 'mark', ...kinds]) colour[k] = css.getPropertyValue('--' + k);
  width = canvas.clientWidth; const h = top + lane * D.tracks.length + 6;
  canvas.style.height = h + 'px'; canvas.width = width * r; canvas.height = h * r; g.setTransform(r, 0, 0, r, 0, 0); draw();
}
function axis() {
  let step = Math.pow(10, Math.floor(Math.log10((to - from) / 4))); while ((to - from) / step > (width < 500 ? 4 : 8)) step *= 2;
  g.fillStyle = colour.soft; g.strokeStyle = colour.line; g.font = '11px system-ui';
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) { g.fillText(ns(t), x(t) + 3, 12);
    g.beginPath(); g.moveTo(x(t), 0); g.lineTo(x(t), canvas.height); g.stroke(); }
}
function draw() {
  g.clearRect(0, 0, width, canvas.height); axis();
  // Kinds one above the other; what is narrower than a pixel is drawn once a pixel.
  for (const k of [3, 0, 1, 2]) { const last = D.tracks.map(() => -1); g.fillStyle = colour[kinds[k]];
    for (let i = 0; i < N; i++) { if (D.slices[5 * i + 1] !== k) continue;
      const s = D.slices[5 * i + 3], e = s + D.slices[5 * i + 4]; if (e < from || s > to) continue;
      const r = row.get(D.slices[5 * i]), a = Math.max(0, x(s)), b = Math.min(width, x(e));
      if (b <= last[r]) continue; last[r] = Math.floor(Math.max(b, a + 1));
      const [dy, h] = kindRow[k]; g.fillRect(a, top + lane * r + dy, Math.max(1, b - a - .5), h);
      if (k === 1 && b - a > 40) { g.save(); g.beginPath(); g.rect(a, 0, b - a - 2, 9e3); g.clip(); g.fillStyle = colour.fg;
        g.fillText(D.names[D.slices[5 * i + 2]], a + 3, top + lane * r + 31); g.restore(); } } }
  g.fillStyle = colour.mark;
  for (const [ring, , at] of D.marks) if (at >= from && at <= to) { const r = row.get(ring);
    g.fillRect(x(at) - .5, top + lane * r + 40, 1.5, 5); }
  g.fillStyle = colour.fg; D.tracks.forEach((t, i) => g.fillText(t.title, 3, top + lane * i + 11));
}
function zoom(at, f) { const t = from + at / width * (to - from), span = Math.min(end, Math.max(100, (to - from) * f));
  from = Math.max(0, Math.min(end - span, t - at / width * span)); to = from + span; draw(); }
function pan(dx) { const d = Math.max(-from, Math.min(end - to, -dx / width * (to - from))); from += d; to += d; draw(); }
function tell(px, py) { const r = Math.floor((py - top) / lane), t = from + px / width * (to - from), slack = (to - from) / width * 2, found = [];
  for (let i = 0; i < N; i++) { const s = D.slices[5 * i + 3], d = D.slices[5 * i + 4];
    if (row.get(D.slices[5 * i]) === r && s - slack <= t && t <= s + d + slack) found.push(D.names[D.slices[5 * i + 2]] + ' ' + ns(d)); }
  for (const [ring, what, at] of D.marks) if (row.get(ring) === r && Math.abs(at - t) <= slack) found.push(what);
  about.textContent = ns(t) + (found.length ? ': ' + found.slice(0, 6).join(', ') : ''); }
const fingers = new Map(); let moved = 0;
canvas.addEventListener('wheel', e => { e.preventDefault(); e.shiftKey ? pan(-e.deltaY) : zoom(e.offsetX, Math.exp(e.deltaY / 400)); }, { passive: false });
canvas.addEventListener('pointerdown', e => { canvas.setPointerCapture(e.pointerId); fingers.set(e.pointerId, e.offsetX); moved = 0; });
canvas.addEventListener('pointermove', e => { if (!fingers.has(e.pointerId)) { tell(e.offsetX, e.offsetY); return; }
  const before = [...fingers.values()]; moved += Math.abs(e.offsetX - fingers.get(e.pointerId)); fingers.set(e.pointerId, e.offsetX); const now = [...fingers.values()];
  if (now.length === 1) pan(now[0] - before[0]);
  else zoom((now[0] + now[1]) / 2, Math.max(8, Math.abs(before[0] - before[1])) / Math.max(8, Math.abs(now[0] - now[1]))); });
canvas.addEventListener('pointerup', e => { fingers.delete(e.pointerId); if (moved < 4) tell(e.offsetX, e.offsetY); });
canvas.addEventListener('pointercancel', e => fingers.delete(e.pointerId));
document.querySelector('#closer').onclick = () => zoom(width / 2, .5);
document.querySelector('#all').onclick = () => { from = 0; to = end; draw(); };
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', size); addEventListener('resize', size); size();
|}

(* Inside a script element "</" would end it. *)
let json value = String.concat "\\u003c" (String.split_on_char '<' (Yojson.Safe.to_string value))
let kind_index = function Task -> 0 | Named -> 1 | Collection -> 2 | Park -> 3

let describe = function
  | Steal victim -> Printf.sprintf "steal from worker %d" victim
  | Batch size -> Printf.sprintf "batch of %d" size
  | Batch_wait time -> Printf.sprintf "operations waited for %.1f us" (float time /. 1000.)
  | Batch_run time -> Printf.sprintf "batch ran for %.1f us" (float time /. 1000.)
  | Suspend _ -> "suspend"
  | Resume _ -> "resume"

let numbered slices =
  let names = Hashtbl.create 64 and order = Dynarray.create () in
  let number name =
    match Hashtbl.find_opt names name with
    | Some i -> i
    | None ->
        let i = Dynarray.length order in
        Hashtbl.add names name i;
        Dynarray.add_last order name;
        i
  in
  let indices = Array.map (fun (s : slice) -> number s.name) slices in
  (indices, Dynarray.to_list order)

let data t : Yojson.Safe.t =
  let origin = origin t in
  let slices = Dynarray.to_array t.slices in
  Array.sort (fun (a : slice) (b : slice) -> Int.compare a.start b.start) slices;
  let indices, names = numbered slices in
  let numbers i (s : slice) =
    [ s.ring; kind_index s.kind; indices.(i); s.start - origin; s.finish - s.start ]
  in
  let mark (m : mark) : Yojson.Safe.t =
    `List [ `Int m.ring; `String (describe m.happening); `Int (m.at - origin) ]
  in
  let track ring = `Assoc [ ("ring", `Int ring); ("title", `String (title t ring)) ] in
  let last = Array.fold_left (fun m (s : slice) -> Int.max m s.finish) (origin + 1) slices in
  `Assoc
    [
      ("length", `Int (last - origin));
      ("tracks", `List (List.map track (rings t)));
      ("names", `List (List.map (fun n -> `String n) names));
      ( "slices",
        `List
          (List.concat
             (Array.to_list
                (Array.mapi (fun i s -> List.map (fun n -> `Int n) (numbers i s)) slices))) );
      ("marks", `List (List.map mark (Dynarray.to_list t.marks)));
    ]

open Tyxml.Html

let key =
  let entry (colour, text) =
    span ~a:[ a_style (Printf.sprintf "--c: var(--%s)" colour) ] [ txt text ]
  in
  List.map entry
    [
      ("task", "task");
      ("name", "your names");
      ("gc", "collector");
      ("park", "asleep");
      ("mark", "steal, wait, batch");
    ]

let to_html ~program t =
  let button name = button ~a:[ a_id name ] [ txt name ] in
  let code = "{ const D = " ^ json (data t) ^ ";" ^ script_text ^ "}" in
  Drover_show.Html.document ~title:("Drover: " ^ program) ~style:style_text
    [
      h1 [ txt program ];
      p ~a:[ a_class [ "key" ] ] key;
      p
        [
          txt "Scroll or pinch to look closer, drag to move. ";
          button "closer";
          txt " ";
          button "all";
        ];
      p ~a:[ a_id "about" ] [];
      canvas ~a:[ a_role [ "img" ]; a_aria "label" [ "what each domain did, over time" ] ] [];
      script (Unsafe.data code);
    ]
