type t = { ran : float; waited : float }

let place () =
  let place = Option.map (fun directory -> directory ^ "/schedstat") (This_thread.directory ()) in
  Option.bind place (fun place -> if Sys.file_exists place then Some place else None)

(* "98765 4321 17": nanoseconds on a processor and in a queue for one, and how often. *)
let of_text text =
  match List.map float_of_string_opt (String.split_on_char ' ' text) with
  | Some ran :: Some waited :: _ -> Some { ran = ran *. 1e-9; waited = waited *. 1e-9 }
  | _ -> None

let read place = Option.bind (System_file.read place) of_text
