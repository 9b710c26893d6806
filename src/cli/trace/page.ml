open Recording

(* The page holds the recording, and page.js draws it on a canvas. *)

(* Inside a script element "</" would end it. *)
let json value = String.concat "\\u003c" (String.split_on_char '<' (Yojson.Safe.to_string value))

let kind_index = function
  | Task -> 0
  | Named -> 1
  | Collection -> 2
  | Park -> 3
  | Stand_by -> 4
  | Unknown -> 5

let describe = function
  | Steal victim -> Printf.sprintf "steal from worker %d" victim
  | Batch size -> Printf.sprintf "batch of %d" size
  | Suspend { what = ""; _ } -> "suspend"
  | Suspend { what; _ } -> what
  | Resume _ -> "resume"
  | Active workers -> Printf.sprintf "%d workers active from here on" workers
  | Unserved time ->
      Printf.sprintf "the pool's workers had waited %.1f ms for processors" (float time /. 1e6)

(* One that is called by a name says also where it was started. *)
let text t slice =
  let name = name t slice in
  match site t slice with
  | Some site when not (String.ends_with ~suffix:site name) -> name ^ ", started at " ^ site
  | _ -> name

let numbered t slices =
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
  let indices = Array.map (fun (s : slice) -> number (text t s)) slices in
  (indices, Dynarray.to_list order)

(* When the workers of a pool waited for processors, and for how long together: from one such event
   to the next, as nothing tells more precisely. *)
let unserved t origin =
  let add (since, all) (m : mark) =
    match m.happening with
    | Unserved time ->
        let at = m.at - origin in
        (at, `List [ `Int since; `Int at; `Int time ] :: all)
    | _ -> (since, all)
  in
  let in_time = List.sort (fun (a : mark) b -> Int.compare a.at b.at) (Dynarray.to_list t.marks) in
  List.rev (snd (List.fold_left add (0, []) in_time))

let data t : Yojson.Safe.t =
  let origin = origin t in
  let slices = Dynarray.to_array t.slices in
  Array.sort (fun (a : slice) (b : slice) -> Int.compare a.start b.start) slices;
  let indices, names = numbered t slices in
  let numbers i (s : slice) =
    [ s.ring; kind_index s.kind; indices.(i); s.start - origin; s.finish - s.start ]
  in
  let mark (m : mark) : Yojson.Safe.t =
    `List [ `Int m.ring; `String (describe m.happening); `Int (m.at - origin) ]
  in
  let workers = workers t in
  let track ring =
    `Assoc
      [
        ("ring", `Int ring);
        ("title", `String (title t ring));
        ("worker", `Bool (Hashtbl.mem workers ring));
      ]
  in
  `Assoc
    [
      ("length", `Int (Int.max 1 (finish t - origin)));
      ("tracks", `List (List.map track (rings t)));
      ("names", `List (List.map (fun n -> `String n) names));
      ( "slices",
        `List
          (List.concat
             (Array.to_list
                (Array.mapi (fun i s -> List.map (fun n -> `Int n) (numbers i s)) slices))) );
      ("unserved", `List (unserved t origin));
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
      ("park", "asleep: no work");
      ("standby", "stands by: other programs have the processors");
      ("unknown", "not known");
      ("bg", "blank: looks for work, or waits for a processor");
      ("mark", "steal, wait, batch");
    ]

let help =
  "Scroll or pinch to look closer, drag to move, drag with shift to select. Keys: W, A, S, D or \
   the arrows, T for a total, Escape for all."

let to_html ~program t =
  let button name = button ~a:[ a_id name ] [ txt name ] in
  let wanted =
    input
      ~a:
        [ a_id "wanted"; a_input_type `Search; a_placeholder "search"; a_aria "label" [ "search" ] ]
      ()
  in
  let code = "{ const D = " ^ json (data t) ^ ";" ^ Page_files.script ^ "}" in
  let about_canvas = "what each domain did, over time" in
  Drover_show.Html.document ~title:("Drover: " ^ program) ~style:Page_files.style
    [
      h1 [ txt program ];
      p ~a:[ a_id "summary" ] [];
      p ~a:[ a_class [ "key" ] ] key;
      p [ txt help ];
      p [ button "closer"; txt " "; button "all"; txt " "; button "total"; txt " "; wanted ];
      p ~a:[ a_id "about"; a_aria "live" [ "polite" ] ] [];
      canvas ~a:[ a_role [ "img" ]; a_tabindex 0; a_aria "label" [ about_canvas ] ] [];
      script (Unsafe.data code);
    ]
