open Drover_show

let busy (t : Store.t) = Option.value (List.assoc_opt "busy" t.parameters) ~default:"0"
let drover o ~domains = Outcome.find o ~version:"drover" ~domains

(* Over one domain, and over the serial program. *)
let gains (o : Outcome.t) =
  let gain row = (Outcome.vs_self o row, Outcome.vs_serial row) in
  if drover o ~domains:1 = None then None
  else Option.map gain (drover o ~domains:(Outcome.most_domains [ o ]))

let gains_in name (t : Store.t) =
  let is_it (o : Outcome.t) = o.kernel = name in
  Option.bind (List.find_opt is_it t.kernels) gains

let cell = function
  | None -> Odoc.none
  | Some (over_one, over_serial) ->
      Printf.sprintf "%s (%s)" (Show.times over_one) (Show.times over_serial)

let mean column =
  let mean part = Stats.geometric_mean (Array.of_list (List.map part column)) in
  if column = [] then None else Some (mean fst, mean snd)

(* A row for each kernel of the first session that another has too. *)
let row sessions (o : Outcome.t) =
  match List.map (gains_in o.kernel) sessions with
  | Some _ :: others as gains when List.exists Option.is_some others -> Some (o.kernel, gains)
  | _ -> None

let header t =
  match busy t with "0" -> "alone" | "1" -> "beside 1 process" | n -> "beside " ^ n ^ " processes"

let table sessions rows =
  let column k = List.filter_map (fun (_, gains) -> List.nth gains k) rows in
  let means = List.mapi (fun k _ -> mean (column k)) sessions in
  let line (name, gains) = name :: List.map cell gains in
  Odoc.table
    ("program" :: List.map header sessions)
    (List.map line rows @ [ line ("{e geometric mean}", means) ])

let section (sessions : Store.t list) =
  match sessions with
  | [] | [ _ ] -> None
  | first :: _ -> (
      match List.filter_map (row sessions) first.kernels with
      | [] -> None
      | rows ->
          let explained =
            Printf.sprintf
              "How fast %d domains are relative to one domain, and in brackets relative to the \
               serial program, which runs beside as many processes. Each of these spins all the \
               time ([bench --busy]).\n\n"
              (Outcome.most_domains first.kernels)
          in
          Some (explained ^ table sessions rows))
