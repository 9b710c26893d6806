type t = { ran : float; waited : float }

let place () =
  let place = Option.map (fun directory -> directory ^ "/schedstat") (This_thread.directory ()) in
  Option.bind place (fun place -> if Sys.file_exists place then Some place else None)

(* "98765 4321 17": nanoseconds on a processor and in a queue for one, and how often. *)
let of_text text =
  match List.map float_of_string_opt (String.split_on_char ' ' text) with
  | Some ran :: Some waited :: _ -> Some { ran = ran *. 1e-9; waited = waited *. 1e-9 }
  | _ -> None

(* Not [Processors.read]: a channel has 64 KB, and this is read a hundred times a second. *)
let read_from file =
  let text = Bytes.create 80 in
  of_text (Bytes.sub_string text 0 (Unix.read file text 0 (Bytes.length text)))

let read place =
  match Unix.openfile place [ O_RDONLY; O_CLOEXEC ] 0 with
  | exception Unix.Unix_error _ -> None
  | file ->
      Fun.protect
        (fun () -> try read_from file with Unix.Unix_error _ -> None)
        ~finally:(fun () -> Unix.close file)
