(* The ring on which a task stops tells for what it waits, and then the number of the wait; the ring on which it goes on
   tells that number, and may be read before. *)

open Drover_watch

type row = { mutable waits : int; mutable total : int; mutable longest : int }

type wait =
  | Begun of { what : string; since : int }
  | Ended of int (* the ring where it began has not been read so far *)

type t = {
  rows : (string, row) Hashtbl.t;
  next : (int, string) Hashtbl.t; (* what the next wait of a ring is for *)
  waits : (int, wait) Hashtbl.t;
}

let create () = { rows = Hashtbl.create 16; next = Hashtbl.create 16; waits = Hashtbl.create 64 }

let row t what =
  match Hashtbl.find_opt t.rows what with
  | Some row -> row
  | None ->
      let row = { waits = 0; total = 0; longest = 0 } in
      Hashtbl.add t.rows what row;
      row

let add t what length =
  let row = row t what in
  row.waits <- row.waits + 1;
  row.total <- row.total + length;
  row.longest <- Int.max row.longest length

let begin_wait t ring number at =
  match (Hashtbl.find_opt t.next ring, Hashtbl.find_opt t.waits number) with
  | Some what, Some (Ended finish) ->
      Hashtbl.remove t.waits number;
      add t what (finish - at)
  | Some what, _ -> Hashtbl.replace t.waits number (Begun { what; since = at })
  | None, _ -> ()

let end_wait t number at =
  match Hashtbl.find_opt t.waits number with
  | Some (Begun { what; since }) ->
      Hashtbl.remove t.waits number;
      add t what (at - since)
  | Some (Ended _) | None -> Hashtbl.replace t.waits number (Ended at)

let listen t ~ring ~at (event : Event.t) =
  match event with
  | Wait what -> Hashtbl.replace t.next ring what
  | Suspend number ->
      begin_wait t ring number at;
      Hashtbl.remove t.next ring
  | Resume number -> end_wait t number at
  | _ -> ()

let lose t ring = Hashtbl.remove t.next ring

let finish t ~at =
  let end_now _ = function
    | Begun { what; since } -> add t what (Int.max 0 (at - since))
    | Ended _ -> ()
  in
  Hashtbl.iter end_now t.waits;
  Hashtbl.reset t.waits

type figures = { what : string; waits : int; total : float; longest : float }

let figures t =
  let seconds ns = float ns *. 1e-9 in
  let add what (r : row) all =
    { what; waits = r.waits; total = seconds r.total; longest = seconds r.longest } :: all
  in
  Hashtbl.fold add t.rows [] |> List.sort (fun a b -> Float.compare b.total a.total)

(* A site ends in a file and a line, in parentheses, and has no blank but before that. *)
let place { what; _ } =
  let separator = Str.regexp {| in \([^ ]+ ([^()]*:[0-9]+)\)$|} in
  match Str.search_forward separator what 0 with
  | at -> Some (String.sub what 0 at, Str.matched_group 1 what)
  | exception Not_found -> None
