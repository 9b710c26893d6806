(* Processors.

   OCaml's recommendation knows the affinity mask; containers limit processor time by cgroup,
   which it does not know. *)

let cgroup_quota ~root =
  let share quota period =
    match (int_of_string_opt quota, int_of_string_opt period) with
    | Some quota, Some period when quota > 0 && period > 0 ->
        Int.max 1 ((quota + period - 1) / period)
    | _ -> max_int (* no limit *)
  in
  (* "max 100000" or "150000 100000". *)
  let in_v2 folder =
    match String.split_on_char ' ' (System.read (folder ^ "/cpu.max")) with
    | [ quota; period ] -> share quota period
    | _ -> max_int
  and in_v1 folder =
    share (System.read (folder ^ "/cpu.cfs_quota_us")) (System.read (folder ^ "/cpu.cfs_period_us"))
  in
  (* A limit counts for the groups below it, so all from [group] up to the mount's root are read. *)
  let rec along limit mount group =
    let here = limit (mount ^ group) in
    match String.rindex_opt group '/' with
    | None -> here
    | Some i -> Int.min here (along limit mount (String.sub group 0 i))
  in
  let mount = Filename.concat root "sys/fs/cgroup" in
  (* One line of /proc/self/cgroup: "0::/group" in v2, "4:cpu,cpuacct:/group" in v1. *)
  let of_line line =
    match String.split_on_char ':' line with
    | "0" :: "" :: group -> along in_v2 mount (String.concat ":" group)
    | _ :: controllers :: group when List.mem "cpu" (String.split_on_char ',' controllers) ->
        along in_v1 (mount ^ "/" ^ controllers) (String.concat ":" group)
    | _ -> max_int
  in
  let lines = String.split_on_char '\n' (System.read (Filename.concat root "proc/self/cgroup")) in
  List.fold_left (fun least line -> Int.min least (of_line line)) max_int lines

(* What the control groups allow takes several files: it is read once; 0 before. A lazy value could be
   forced by two domains at a time. *)
let available =
  let quota = Atomic.make 0 in
  fun () ->
    if Atomic.get quota = 0 then Atomic.set quota (cgroup_quota ~root:"/");
    Int.min (Atomic.get quota) (Domain.recommended_domain_count ())

(* The parameter d of OCaml's runtime, which [Sys.runtime_parameters] does not tell. *)
let most_domains =
  let set = List.find_map Sys.getenv_opt [ "OCAMLRUNPARAM"; "CAMLRUNPARAM" ] in
  let parameters = String.split_on_char ',' (Option.value set ~default:"") in
  match List.find_map (fun text -> Scanf.sscanf_opt text "d=%d%!" Fun.id) parameters with
  | Some n when 1 <= n -> n
  | Some _ | None -> 128

(* What a pool is like if nobody says. *)

let from_environment variable parse ~otherwise =
  match Sys.getenv_opt variable with
  | None | Some "" -> otherwise ()
  | Some text -> (
      match parse text with
      | Ok value -> value
      | Error what ->
          invalid_arg (Printf.sprintf "Drover: the variable %s is %S, %s" variable text what))

let default () =
  let parse text =
    match int_of_string_opt text with
    | Some n when n > most_domains ->
        Error
          (Printf.sprintf "but OCaml has room for %d domains (OCAMLRUNPARAM=d=...)" most_domains)
    | Some n when n >= 1 -> Ok n
    | Some _ | None -> Error "not a number of domains"
  in
  from_environment "DROVER_DOMAINS" parse ~otherwise:available

let adaptive () =
  let parse text = Option.to_result ~none:"neither true nor false" (bool_of_string_opt text) in
  from_environment "DROVER_ADAPTIVE" parse ~otherwise:(fun () -> true)

(* How long a thread was on one *)

type time = { ran : float; waited : float }

let time_file () =
  match Unix.readlink "/proc/thread-self" with
  | thread ->
      let path = "/proc/" ^ thread ^ "/schedstat" in
      if Sys.file_exists path then Some path else None
  | exception Unix.Unix_error _ -> None

(* "98765 4321 17": nanoseconds on a processor and in a queue for one, and how often. *)
let read_time file =
  match List.map float_of_string_opt (String.split_on_char ' ' (System.read file)) with
  | Some ran :: Some waited :: _ -> Some { ran = ran *. 1e-9; waited = waited *. 1e-9 }
  | _ -> None
