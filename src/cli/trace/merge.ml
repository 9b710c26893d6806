(* Merge: the timelines of several ranks in one, each a group of its own. They say at which time of the
   computer's clock they begin, so that those of several machines lie as right as their clocks are. *)

open Yojson.Safe.Util

type part = {
  rank : int;
  origin : float;
  (* microseconds since 1970 *) events : Yojson.Safe.t list;
}

let read file =
  try
    let json = Yojson.Safe.from_file file in
    let about = member "otherData" json in
    let rank = to_int (member "rank" about) and origin = to_number (member "origin" about) in
    { rank; origin; events = to_list (member "traceEvents" json) }
  with Yojson.Json_error _ | Type_error _ ->
    raise (Sys_error (file ^ ": it is no timeline of a rank that drover trace has written"))

let is_name = function
  | `Assoc fields -> List.assoc_opt "name" fields = Some (`String "process_name")
  | _ -> false

let title rank : Yojson.Safe.t =
  `Assoc
    [
      ("ph", `String "M");
      ("pid", `Int (rank + 1));
      ("tid", `Int 0);
      ("name", `String "process_name");
      ("args", `Assoc [ ("name", `String (Printf.sprintf "rank %d" rank)) ]);
    ]

let place rank later : Yojson.Safe.t -> Yojson.Safe.t = function
  | `Assoc fields ->
      let field (name, value) =
        match (name, value) with
        | "pid", _ -> (name, `Int (rank + 1))
        | "ts", `Float ts -> (name, `Float (ts +. later))
        | "id", `Int id -> (name, `String (Printf.sprintf "%d.%d" rank id))
        | _ -> (name, value)
      in
      `Assoc (List.map field fields)
  | other -> other

(* Event by event: a trace may be large. *)
let write oc parts =
  let first = List.fold_left (fun t part -> Float.min t part.origin) infinity parts in
  let separator = ref "" in
  let put event =
    output_string oc !separator;
    Yojson.Safe.to_channel oc event;
    separator := ",\n"
  in
  let part { rank; origin; events } =
    put (title rank);
    List.iter (fun e -> if not (is_name e) then put (place rank (origin -. first) e)) events
  in
  output_string oc {|{"displayTimeUnit":"ms","traceEvents":[|};
  List.iter part parts;
  output_string oc "]}\n"

(* Raises [Sys_error] if a file is none of ours. *)
let files names oc = write oc (List.map read names)
