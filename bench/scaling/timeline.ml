open Drover_machine
open Drover_trace
open Drover_watch

let event (entry : Log.entry) : Event.t option =
  match entry.what with
  | Begins "collection" -> Some (Begin EV_MINOR)
  | Ends "collection" -> Some (End EV_MINOR)
  | Begins name -> Event.of_span name Begin
  | Ends name -> Event.of_span name End
  | Notes (name, n) -> Event.of_int name n

let page ~title log =
  let recording = Recording.create () in
  let listen (entry : Log.entry) =
    Option.iter (Recording.listen recording ~ring:entry.domain ~at:entry.at) (event entry)
  in
  List.iter listen log;
  let last = List.fold_left (fun last (entry : Log.entry) -> Int.max last entry.at) 0 log in
  Recording.listen recording ~ring:0 ~at:last Program_ends;
  Page.to_html ~program:title recording
