(* Processors.

   OCaml's recommendation knows the affinity mask; containers limit processor time by cgroup,
   which it does not know. *)

let ceil_div a b = (a + b - 1) / b

let share quota period =
  match (int_of_string_opt quota, int_of_string_opt period) with
  | Some quota, Some period when quota > 0 && period > 0 -> Some (max 1 (ceil_div quota period))
  | _ -> None

(* cgroup v2: "max 100000" or "150000 100000". *)
let quota_v2 dir =
  match
    Option.map (String.split_on_char ' ') (System_file.read (Filename.concat dir "cpu.max"))
  with
  | Some [ quota; period ] -> share quota period
  | Some _ | None -> None

let quota_v1 dir =
  let field name = Option.value ~default:"" (System_file.read (Filename.concat dir name)) in
  share (field "cpu.cfs_quota_us") (field "cpu.cfs_period_us")

let smallest a b =
  match (a, b) with
  | Some a, Some b -> Some (min a b)
  | Some n, None | None, Some n -> Some n
  | None, None -> None

(* A limit counts for the groups below it, so all from [group] up to the mount's root are asked. *)
let rec along quota mount group =
  let here = quota (Filename.concat mount group) in
  match String.rindex_opt group '/' with
  | None -> smallest here (quota mount)
  | Some i -> smallest here (along quota mount (String.sub group 0 i))

let relative group =
  if String.starts_with ~prefix:"/" group then String.sub group 1 (String.length group - 1)
  else group

(* One line of /proc/self/cgroup: "0::/group" in v2, "4:cpu,cpuacct:/group" in v1. *)
let quota_of_line ~root line =
  let mount name = Filename.concat root ("sys/fs/cgroup" ^ name) in
  match String.split_on_char ':' line with
  | "0" :: "" :: group -> along quota_v2 (mount "") (relative (String.concat ":" group))
  | _ :: controllers :: group when List.mem "cpu" (String.split_on_char ',' controllers) ->
      along quota_v1 (mount ("/" ^ controllers)) (relative (String.concat ":" group))
  | _ -> None

(* The processors' worth of time that the control groups of this process allow, rounded up. *)
let cgroup_quota ~root =
  match System_file.read (Filename.concat root "proc/self/cgroup") with
  | None -> None
  | Some text ->
      List.fold_left
        (fun quota line -> smallest quota (quota_of_line ~root line))
        None (String.split_on_char '\n' text)

(* What the control groups allow takes several files: it is read once. A lazy value could be forced by
   two domains at a time. *)
let quota_read : int option option Atomic.t = Atomic.make None

let quota () =
  match Atomic.get quota_read with
  | Some quota -> quota
  | None ->
      let quota = cgroup_quota ~root:"/" in
      Atomic.set quota_read (Some quota);
      quota

let available () =
  let processors = Domain.recommended_domain_count () in
  match quota () with Some quota -> min quota processors | None -> processors

(* The parameter d of OCaml's runtime, which [Sys.runtime_parameters] does not tell. *)
let most_domains =
  let parameters =
    match Sys.getenv_opt "OCAMLRUNPARAM" with
    | Some text -> text
    | None -> Option.value (Sys.getenv_opt "CAMLRUNPARAM") ~default:""
  in
  let parameter text = Scanf.sscanf_opt text "d=%d%!" Fun.id in
  match List.find_map parameter (String.split_on_char ',' parameters) with
  | Some n when 1 <= n -> n
  | Some _ | None -> 128

(* What a pool is like if nobody says. *)

let from_environment variable parse ~otherwise ~expected =
  match Sys.getenv_opt variable with
  | None | Some "" -> otherwise ()
  | Some text -> (
      match parse text with
      | Some value -> value
      | None ->
          invalid_arg (Printf.sprintf "Drover: the variable %s is %S, %s" variable text expected))

let default () =
  let positive text =
    Option.bind (int_of_string_opt text) (fun n -> if n >= 1 then Some n else None)
  in
  from_environment "DROVER_DOMAINS" positive ~otherwise:available
    ~expected:"not a number of domains"

let adaptive () =
  from_environment "DROVER_ADAPTIVE" bool_of_string_opt
    ~otherwise:(fun () -> true)
    ~expected:"neither true nor false"

(* How long a thread was on one *)

type time = { ran : float; waited : float }

let time_place () =
  let place directory =
    let path = directory ^ "/schedstat" in
    if Sys.file_exists path then Some path else None
  in
  Option.bind (This_thread.directory ()) place

(* "98765 4321 17": nanoseconds on a processor and in a queue for one, and how often. *)
let time_of_text text =
  match List.map float_of_string_opt (String.split_on_char ' ' text) with
  | Some ran :: Some waited :: _ -> Some { ran = ran *. 1e-9; waited = waited *. 1e-9 }
  | _ -> None

let read_time place = Option.bind (System_file.read place) time_of_text
