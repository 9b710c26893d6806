(* Setting: what the environment says to a program about domains and memory. *)

type t = {
  domains : int option; (* [None]: as the program is run *)
  minor_heap : int option; (* where minor heaps begin, in M words *)
  space_overhead : int option;
}

let as_it_is = { domains = None; minor_heap = None; space_overhead = None }

let changes t =
  let count option = if Option.is_some option then 1 else 0 in
  count t.domains + count t.minor_heap + count t.space_overhead

(* All that make some of the changes of these, those with few changes first. *)
let combine domains minor_heaps space_overheads =
  let or_none choices = None :: List.map Option.some choices in
  List.concat_map
    (fun space_overhead ->
      List.concat_map
        (fun minor_heap ->
          List.map (fun domains -> { domains; minor_heap; space_overhead }) (or_none domains))
        (or_none minor_heaps))
    (or_none space_overheads)
  |> List.stable_sort (fun a b -> Int.compare (changes a) (changes b))

let parts t =
  let choices = Option.to_list in
  combine (choices t.domains) (choices t.minor_heap) (choices t.space_overhead)

(* One domain, in powers of two, up to one for each core; [now] is how many there are. *)
let domains ~cores ~now =
  let rec from n = if n >= cores then [ cores ] else n :: from (2 * n) in
  List.filter (( <> ) now) (from 1)

let all ~cores ~now = combine (domains ~cores ~now) [ 1; 4; 8 ] [ 80; 200; 400 ]

(* The variables that differ from [getenv]. The user's other parameters of the runtime stay. *)
let bindings ~getenv t =
  let parameter name show = Option.map (fun value -> (name, Printf.sprintf show value)) in
  let ours =
    List.filter_map Fun.id
      [ parameter "s=" "s=%dM" t.minor_heap; parameter "o=" "o=%d" t.space_overhead ]
  in
  let is_kept parameter =
    parameter <> ""
    && not (List.exists (fun (prefix, _) -> String.starts_with ~prefix parameter) ours)
  in
  let theirs = List.find_map getenv [ "OCAMLRUNPARAM"; "CAMLRUNPARAM" ] in
  let kept = List.filter is_kept (String.split_on_char ',' (Option.value theirs ~default:"")) in
  Option.to_list (Option.map (fun n -> ("DROVER_DOMAINS", string_of_int n)) t.domains)
  @ if ours = [] then [] else [ ("OCAMLRUNPARAM", String.concat "," (kept @ List.map snd ours)) ]

let quoted word =
  let is_plain = function
    | 'a' .. 'z'
    | 'A' .. 'Z'
    | '0' .. '9'
    | '_' | '-' | '.' | '/' | '=' | ',' | ':' | '+' | '@' | '%' ->
        true
    | _ -> false
  in
  if word <> "" && String.for_all is_plain word then word else Filename.quote word

(* What one types into a shell. *)
let line ~getenv t words =
  let variables = List.map (fun (name, value) -> name ^ "=" ^ quoted value) (bindings ~getenv t) in
  String.concat " " (variables @ List.map quoted words)

let name t =
  if t = as_it_is then "as it is run"
  else
    let show format = Option.map (Printf.sprintf format) in
    [ show "domains=%d" t.domains; show "s=%dM" t.minor_heap; show "o=%d" t.space_overhead ]
    |> List.filter_map Fun.id |> String.concat ", "
