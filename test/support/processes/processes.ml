let read_opt file =
  try Some (In_channel.with_open_bin file In_channel.input_all) with Sys_error _ -> None

let listing dir = try Array.to_list (Sys.readdir dir) with Sys_error _ -> []

(* What follows the name, which is in parentheses: a letter for the state, the parent, and more. *)
let stat path =
  let fields text =
    let from = String.rindex text ')' + 2 in
    String.split_on_char ' ' (String.sub text from (String.length text - from))
  in
  Option.map fields (read_opt (Printf.sprintf "/proc/%s/stat" path))

let state pid = match stat (string_of_int pid) with Some (state :: _) -> Some state | _ -> None

let parent pid =
  match stat (string_of_int pid) with
  | Some (_ :: parent :: _) -> int_of_string_opt parent
  | _ -> None

let rec is_below top pid =
  pid = top || match parent pid with Some p when p > 1 -> is_below top p | _ -> false

let below pid =
  let all = List.filter_map int_of_string_opt (listing "/proc") in
  pid :: List.filter (fun other -> other <> pid && is_below pid other) all

let goes_on pid =
  match Unix.kill pid 0 with
  | () -> not (List.mem (state pid) [ Some "T"; Some "Z" ])
  | exception Unix.Unix_error (error, _, _) -> error = EPERM

let threads pid =
  let one tid =
    let path = Printf.sprintf "%d/task/%s" pid tid in
    let place = Option.value (read_opt ("/proc/" ^ path ^ "/wchan")) ~default:"?" in
    match stat path with
    | Some (state :: fields) when List.length fields > 12 ->
        let ticks = List.nth fields 10 ^ "+" ^ List.nth fields 11 in
        Some
          (Printf.sprintf "process %d, thread %s: %s, after %s ticks, in %s" pid tid state ticks
             place)
    | _ -> None
  in
  List.filter_map one (listing (Printf.sprintf "/proc/%d/task" pid))
