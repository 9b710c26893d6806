(* Storms: rounds of random programs, in a process for each few, under one kind of fault: tasks that
   are interrupted, Ctrl-C, callbacks that call the library, and shortages, for which the process has
   a limited stack, or few descriptors, domains or threads.

   Without arguments: a few rounds of each kind, as a test. Otherwise

   storms.exe [--seconds N | --rounds N] [--only KIND] [--domains N] [--seed N] [--minimise]

   goes on for so long, and tells what failed with the seed to repeat it. *)

let kinds =
  (((module Fault.None) : (module Fault.KIND)) :: (module Interruptions) :: Breaks.all)
  @ Triggers.all @ Shortages.all

(* Not tried by themselves: OCaml dies when it has a thread for a domain, and none for its backup
   thread. *)
let by_hand_only = [ "threads" ]
let name (module Kind : Fault.KIND) = Kind.name

let kind_of wanted =
  match List.find_opt (fun kind -> name kind = wanted) kinds with
  | Some kind -> kind
  | None ->
      prerr_endline ("no such kind; there are: " ^ String.concat ", " (List.map name kinds));
      exit 2

(* In the process: rounds with seeds from [seed] on. *)

let patience = 30. (* seconds *)
let show_path path = String.concat "." (List.map string_of_int path)
let path_of text = List.map int_of_string (List.filter (( <> ) "") (String.split_on_char '.' text))

(* A lost domain has two threads. Those of blocking calls come and go. *)
let threads () = Array.length (Sys.readdir "/proc/self/task")
let spare = 15

let rec await_threads most left =
  threads () <= most
  || left > 0.
     && begin
       Thread.delay 0.01;
       await_threads most (left -. 0.01)
     end

let end_with code format =
  Printf.ksprintf
    (fun text ->
      print_string text;
      Out_channel.flush stdout;
      Unix._exit code)
    format

let play_round round =
  let guard phase f =
    let program = Program.show (Round.program round) in
    let what = Printf.sprintf "seed %d, in %s of %s" round.Round.seed phase program in
    Test_support.Watchdog.guard ~seconds:patience what f
  in
  let (module Kind) = round.kind in
  match Round.run round ~guard with
  | [] -> ()
  | complaints ->
      end_with 1 "seed %d, after %d faults:\n  %s\n" round.seed (Kind.count ())
        (String.concat "\n  " complaints)

let play kind domains seed rounds path =
  let (module Kind : Fault.KIND) = kind in
  Kind.install ();
  Thread.set_uncaught_exception_handler (fun _ -> ());
  Drover.Promise.on_unawaited_failure (fun _ _ -> ());
  play_round { kind; domains; seed; path };
  let most = threads () + spare in
  for seed = seed + 1 to seed + rounds - 1 do
    play_round { kind; domains; seed; path }
  done;
  if not (await_threads most patience) then end_with 1 "%d threads are left\n" (threads ());
  end_with 0 "%d faults, %d tasks\n" (Kind.count ()) !Round.tasks

(* From outside *)

type result = { faults : int; tasks : int; failure : string option }

let quote = Filename.quote

let command (module Kind : Fault.KIND) domains seed rounds path =
  let parameters =
    List.filter (( <> ) "")
      [ Option.value (Sys.getenv_opt "OCAMLRUNPARAM") ~default:""; Kind.parameters ~domains ]
  in
  let limits = match Kind.limits ~domains with "" -> "" | limits -> limits ^ "; " in
  Printf.sprintf "%sOCAMLRUNPARAM=%s exec %s --play %s %d %d %d %s" limits
    (quote (String.concat "," parameters))
    (quote Sys.executable_name) Kind.name domains seed rounds
    (quote (show_path path))

let contents path = In_channel.with_open_bin path In_channel.input_all

let start kind domains seed rounds path =
  let file = Filename.temp_file "storm" ".out" in
  let code =
    Sys.command
      (Printf.sprintf "(%s) > %s 2>&1" (command kind domains seed rounds path) (quote file))
  in
  let text = contents file in
  Sys.remove file;
  match
    (code, Scanf.sscanf_opt text "%d faults, %d tasks" (fun faults tasks -> (faults, tasks)))
  with
  | 0, Some (faults, tasks) -> { faults; tasks; failure = None }
  | _ -> { faults = 0; tasks = 0; failure = Some (Printf.sprintf "%s(exit %d)" text code) }

let repeat kind domains seed rounds path =
  Printf.sprintf "to repeat: storms.exe --only %s --domains %d --seed %d --rounds %d%s" (name kind)
    domains seed rounds
    (if path = [] then "" else " --path " ^ show_path path)

(* A smaller program that fails, too, in one of [tries]; and so on. *)
let tries = 20

let rec minimise kind domains seed path =
  let program = Round.program { kind; domains; seed; path } in
  let fails path =
    List.exists
      (fun _ -> Option.is_some (start kind domains seed 1 path).failure)
      (List.init tries Fun.id)
  in
  let candidates = List.mapi (fun i _ -> path @ [ i ]) (Program.smaller program) in
  match List.find_opt fails candidates with
  | Some path -> minimise kind domains seed path
  | None ->
      Printf.printf "minimal: %s\n%s\n%!" (Program.show program) (repeat kind domains seed 1 path)

type options = {
  seconds : float;
  rounds : int;
  only : (module Fault.KIND) list;
  domains : int list;
  seed : int;
  path : int list;
  minimises : bool;
}

let batch = 20

(* Rounds of each kind on each number of domains in turns; how many failed. *)
let storm o =
  let start_time = Unix.gettimeofday () in
  let counts = Hashtbl.create 16 and failures = ref 0 in
  let add key { faults; tasks; _ } =
    let f, t = Option.value (Hashtbl.find_opt counts key) ~default:(0, 0) in
    Hashtbl.replace counts key (f + faults, t + tasks)
  in
  let is_over done_ = done_ >= o.rounds || Unix.gettimeofday () -. start_time > o.seconds in
  let one done_ rounds kind domains =
    if not (is_over done_) then begin
      let seed = o.seed + done_ in
      let result = start kind domains seed rounds o.path in
      add (name kind) result;
      match result.failure with
      | None -> ()
      | Some text ->
          incr failures;
          Printf.printf "%s, %d domains: %s\n%s\n\n%!" (name kind) domains text
            (repeat kind domains seed rounds o.path);
          if o.minimises then minimise kind domains seed o.path
    end
  in
  let rec go done_ =
    if not (is_over done_) then begin
      let rounds = Int.min batch (o.rounds - done_) in
      List.iter
        (fun domains -> List.iter (fun kind -> one done_ rounds kind domains) o.only)
        o.domains;
      go (done_ + rounds)
    end
  in
  go 0;
  Hashtbl.iter (fun kind (f, t) -> Printf.printf "%s: %d faults, %d tasks\n" kind f t) counts;
  Printf.printf "%d failures\n%!" !failures;
  !failures

let by_hand () =
  let seconds = ref infinity and rounds = ref max_int and only = ref [] in
  let domains = ref [] and seed = ref 1 and path = ref "" and minimises = ref false in
  Arg.parse
    [
      ("--seconds", Arg.Set_float seconds, "N for so long");
      ("--rounds", Arg.Set_int rounds, "N so many rounds of each kind");
      ("--only", Arg.String (fun k -> only := kind_of k :: !only), "KIND this kind of fault");
      ("--domains", Arg.Int (fun n -> domains := n :: !domains), "N on so many domains");
      ("--seed", Arg.Set_int seed, "N the first round's seed");
      ("--path", Arg.Set_string path, "P of a minimal program");
      ("--minimise", Arg.Set minimises, " look for smaller programs that fail, too");
    ]
    (fun _ -> raise (Arg.Bad "no such argument"))
    "storms.exe [options]";
  let failures =
    storm
      {
        seconds = !seconds;
        rounds = !rounds;
        only = (if !only = [] then kinds else !only);
        domains = (if !domains = [] then [ 1; 2; 4; 8 ] else !domains);
        seed = !seed;
        path = path_of !path;
        minimises = !minimises;
      }
  in
  exit (if failures = 0 then 0 else 1)

(* As a test *)

let few = 4

let case title kind domains ~seed ~rounds =
  Alcotest.test_case title `Quick (fun () ->
      match (start kind domains seed rounds []).failure with
      | None -> ()
      | Some text -> Alcotest.failf "%s\n%s" text (repeat kind domains seed rounds []))

let few_rounds kind domains =
  let title = Printf.sprintf "%s, %d domains" (name kind) domains in
  case title kind domains ~seed:1 ~rounds:few

(* On one domain, where a seed does the same each time, or nearly. *)
let have_failed_once =
  List.map (fun seed -> ("overflow", seed)) [ 26; 30; 41; 66; 133; 756; 913; 1208 ]

let once_more (kind, seed) =
  case (Printf.sprintf "%s, seed %d" kind seed) (kind_of kind) 1 ~seed ~rounds:1

let test () =
  let is_ready kind = not (List.mem (name kind) by_hand_only) in
  let cases = List.concat_map (fun kind -> List.map (few_rounds kind) [ 1; 2; 4; 8 ]) in
  Alcotest.run "storms"
    [
      ("kinds", cases (List.filter is_ready kinds));
      ("what has failed once", List.map once_more have_failed_once);
    ]

let () =
  match Array.to_list Sys.argv with
  | _ :: "--play" :: kind :: domains :: seed :: rounds :: path ->
      play (kind_of kind) (int_of_string domains) (int_of_string seed) (int_of_string rounds)
        (List.concat_map path_of path)
  | _ :: option :: _ when String.starts_with ~prefix:"--" option && option <> "--compact" ->
      by_hand ()
  | _ -> test ()
