open Drover_harness
open Drover_show

type request = {
  commit : string;
  names : string list;
  size : Kernel.size;
  domains : int list;
  pairs : int;
}

let default = [ "fork-shapes"; "promises"; "regions"; "fib"; "for-tiny"; "mergesort"; "json" ]

exception Failed of string

let or_fail = function Ok v -> v | Error why -> raise (Failed why)
let read file = String.trim (In_channel.with_open_bin file In_channel.input_all)

(* Ctrl-C ends the command, too: nothing is cleaned up before it has ended. *)
let wait pid =
  try Unix.waitpid [] pid
  with Sys.Break ->
    ignore (Unix.waitpid [] pid : int * Unix.process_status);
    raise Sys.Break

(* What a command prints. Not by [Sys.command], which ignores Ctrl-C meanwhile. *)
let output command arguments =
  let log = Filename.temp_file "bench" ".log" in
  let start () =
    let out = Unix.openfile log [ O_WRONLY; O_CLOEXEC ] 0o600 in
    Fun.protect
      ~finally:(fun () -> Unix.close out)
      (fun () ->
        Unix.create_process command (Array.of_list (command :: arguments)) Unix.stdin out out)
  in
  Fun.protect
    ~finally:(fun () -> Sys.remove log)
    (fun () ->
      match wait (start ()) with
      | _, WEXITED 0 -> Ok (read log)
      | _ -> Error (Printf.sprintf "%s failed:\n%s" command (read log))
      | exception Unix.Unix_error (why, _, _) ->
          Error (Printf.sprintf "%s: %s" command (Unix.error_message why)))

let call command arguments = ignore (or_fail (output command arguments) : string)

(* The commit's program, and whether it has today's [bench]. *)
type old = { program : string; todays_bench : bool }

let build tree =
  let built _ = Filename.concat tree "_build/default/bench/main.exe" in
  Result.map built (output "dune" [ "build"; "--root"; tree; "./bench/main.exe" ])

let build_old ~root ~tree =
  let bench = Filename.concat tree "bench" in
  call "rm" [ "-rf"; bench ];
  call "cp" [ "-R"; Filename.concat root "bench"; bench ];
  match build tree with
  | Ok program -> { program; todays_bench = true }
  | Error _ ->
      call "rm" [ "-rf"; bench ];
      call "git" [ "-C"; tree; "checkout"; "--quiet"; "HEAD"; "--"; "bench" ];
      { program = or_fail (build tree); todays_bench = false }

let commit_id commit =
  match output "git" [ "rev-parse"; "--verify"; "--end-of-options"; commit ^ "^{commit}" ] with
  | Ok id -> id
  | Error why -> raise (Failed (Printf.sprintf "there is no commit '%s' here; %s" commit why))

let with_directory f =
  let dir = Filename.temp_dir "drover" "" in
  Fun.protect ~finally:(fun () -> call "rm" [ "-rf"; dir ]) (fun () -> f dir)

let with_worktree ~root ~dir id f =
  let tree = Filename.concat dir "tree" in
  let worktree arguments = call "git" ([ "-C"; root; "worktree" ] @ arguments) in
  worktree [ "add"; "--quiet"; "--detach"; tree; id ];
  Fun.protect ~finally:(fun () -> worktree [ "remove"; "--force"; tree ]) (fun () -> f tree)

(* What of [names] the program knows. *)
let known program names =
  let name line = List.hd (String.split_on_char ' ' line) in
  let all = List.map name (String.split_on_char '\n' (or_fail (output program [ "--list" ]))) in
  match List.filter (fun n -> List.mem n all) names with
  | [] -> raise (Failed "the commit's bench has nothing of that name")
  | names -> names

let session request ~dir ~brief program names =
  let json = Filename.concat dir "session.json" in
  let domains = String.concat "," (List.map string_of_int request.domains) in
  let plan =
    [ "--size"; Suite.size_name request.size; "--domains"; domains; "--runs"; "1"; "--json"; json ]
  in
  call program (names @ plan @ if brief then [ "--brief" ] else []);
  or_fail (Store.read json)

(* Old, new, new, old: neither always comes first. *)
let pair ~old ~today i =
  if i mod 2 = 0 then
    let before = old () in
    (before, today ())
  else
    let now = today () in
    (old (), now)

(* Both programs are copies beside each other, lest another build replace one meanwhile. *)
let measure request progress ~dir old =
  let copy from name =
    let file = Filename.concat dir name in
    call "cp" [ from; file ];
    file
  in
  let before = copy old.program "old.exe" and now = copy Sys.executable_name "new.exe" in
  let names = known before (if request.names = [] then default else request.names) in
  let old () = session request ~dir ~brief:old.todays_bench before names in
  let today () = session request ~dir ~brief:true now names in
  Progress.begins progress request.pairs;
  List.init request.pairs (fun i ->
      Progress.next progress;
      Progress.report progress (String.concat " " names);
      pair ~old ~today i)

let guard request progress =
  let id = commit_id request.commit in
  let root = or_fail (output "git" [ "rev-parse"; "--show-toplevel" ]) in
  with_directory @@ fun dir ->
  with_worktree ~root ~dir id @@ fun tree ->
  let old = build_old ~root ~tree in
  if not old.todays_bench then
    Fmt.pr "Today's bench does not compile with %s, which runs its own.@." request.commit;
  let changes = Pairs.changes (measure request progress ~dir old) in
  Progress.clear progress;
  Fmt.pr "%a%s@." Table.pp (Pairs.table changes) (Pairs.summary changes);
  changes

let run request : (unit, Suite.failure) result =
  let progress = Progress.on_terminal () in
  Sys.catch_break true;
  match guard request progress with
  | changes -> if Pairs.is_regression changes then Error Slower else Ok ()
  | exception (Failed why | Sys_error why) ->
      Progress.clear progress;
      Error (Bad_input why)
  | exception Sys.Break ->
      Progress.clear progress;
      Error (Bad_input "interrupted")
