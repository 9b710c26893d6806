(* What the page "Is it safe in a task?" says, where it can be shown without luck. On one domain, two tasks take
   turns where they wait. *)

let case name test = Alcotest.test_case name `Quick test

(* [first] goes on when [second] has ended, which begins when [first] waits. *)
let around first second =
  Drover.run ~domains:1 @@ fun () ->
  let waits, has_come = Drover.Promise.create () and over, has_gone = Drover.Promise.create () in
  let wait () =
    Drover.Promise.fulfil has_come ();
    Drover.await over
  in
  let then_second () =
    Drover.await waits;
    Fun.protect second ~finally:(Drover.Promise.fulfil has_gone)
  in
  fst (Drover.both (fun () -> first wait) then_second)

let tasks = 2_000

let printed print =
  let file = Filename.temp_file "safe" ".txt" in
  Out_channel.with_open_bin file print;
  let text = In_channel.with_open_bin file In_channel.input_all in
  Sys.remove file;
  text

let lines_are_whole () =
  let line i = Printf.sprintf "task %d of %d\n" i tasks in
  let text =
    printed (fun oc ->
        Drover.run ~domains:4 (fun () ->
            Drover.parallel_for ~start:1 ~finish:tasks (fun i -> output_string oc (line i))))
  in
  let sorted lines = List.sort compare (List.filter (( <> ) "") lines) in
  Alcotest.(check (list string))
    "lines"
    (sorted (List.init tasks (fun i -> String.trim (line (i + 1)))))
    (sorted (String.split_on_char '\n' text))

let printf_is_several_writes () =
  let text =
    printed (fun oc ->
        around
          (fun wait -> Printf.fprintf oc "one %t line\n" (fun _ -> wait ()))
          (fun () -> output_string oc "another"))
  in
  Alcotest.(check string) "text" "one another line\n" text

(* Each of these gives the same in many tasks at a time. *)
let safe name f =
  case name @@ fun () ->
  Drover.run ~domains:4 @@ fun () ->
  Alcotest.(check bool) name true (Drover.Array.for_all Fun.id (Drover.Array.init tasks f))

let table = Hashtbl.of_seq (Seq.init tasks (fun i -> (i, i)))

let str_forgets () =
  let expression = Str.regexp "[0-9]+" in
  let search text = ignore (Str.search_forward expression text 0) in
  let found =
    around
      (fun wait ->
        search "a 12";
        wait ();
        Str.matched_string "a 12")
      (fun () -> search "34")
  in
  Alcotest.(check string) "what another task has found" "a " found

let lazy_is_undefined () =
  let suspend = ref ignore in
  let value = Lazy.from_fun (fun () -> !suspend ()) in
  let force_first wait =
    suspend := wait;
    Lazy.force value
  in
  Alcotest.check_raises "Lazy" CamlinternalLazy.Undefined (fun () ->
      around force_first (fun () -> Lazy.force value))

let lazy_of_tasks () =
  let suspend = ref ignore and later = ref None in
  let value = Drover.Lazy.from_fun (fun () -> !suspend ()) in
  around
    (fun wait ->
      suspend := wait;
      Drover.Lazy.force value)
    (fun () -> later := Some (Drover.async (fun () -> Drover.Lazy.force value)));
  Drover.await (Option.get !later)

let domain's_is_not_the_task's () =
  let dls = Domain.DLS.new_key (fun () -> 0) and local = Drover.Local.create 0 in
  let seen =
    around
      (fun wait ->
        Domain.DLS.set dls 1;
        Drover.Local.with_value local 1 (fun () ->
            wait ();
            (Domain.DLS.get dls, Drover.Local.get local)))
      (fun () -> Domain.DLS.set dls 2)
  in
  Alcotest.(check (pair int int)) "of the domain, and of the task" (2, 1) seen

let mutex_of_the_thread () =
  let lock = Mutex.create () in
  let deadlock = Sys_error "Mutex.lock: Resource deadlock avoided" in
  Alcotest.check_raises "Mutex" deadlock (fun () ->
      around (fun wait -> Mutex.protect lock wait) (fun () -> Mutex.protect lock ignore))

let mutex_of_tasks () =
  let lock = Drover.Mutex.create () in
  let later = ref None in
  around
    (fun wait -> Drover.Mutex.protect lock wait)
    (fun () -> later := Some (Drover.async (fun () -> Drover.Mutex.protect lock ignore)));
  Drover.await (Option.get !later)

let of_the_process () =
  let before = Sys.getcwd () in
  let inside wait =
    Unix.putenv "DROVER_TEST_SAFE" "one";
    wait ();
    (Sys.getcwd (), Sys.getenv "DROVER_TEST_SAFE")
  in
  let other () =
    Sys.chdir "/";
    Unix.putenv "DROVER_TEST_SAFE" "other"
  in
  let seen = Fun.protect (fun () -> around inside other) ~finally:(fun () -> Sys.chdir before) in
  Alcotest.(check (pair string string)) "folder and variable" ("/", "other") seen

let at_the_domain's_end () =
  let ended = Atomic.make false in
  let after_the_task =
    Drover.Pool.with_pool ~domains:2 @@ fun pool ->
    Drover.Pool.staff pool;
    Drover.Pool.run pool (fun () -> Domain.at_exit (fun () -> Atomic.set ended true));
    Atomic.get ended
  in
  Alcotest.(check (pair bool bool))
    "after the task, after the pool" (false, true)
    (after_the_task, Atomic.get ended)

let no_fork () =
  Drover.run ~domains:2 ignore;
  match Unix.fork () with
  | 0 -> Unix._exit 0
  | _ -> Alcotest.fail "it has forked"
  | exception Failure _ -> ()

let () =
  Alcotest.run "safe in a task"
    [
      ( "safe",
        [
          case "a line in one call" lines_are_whole;
          safe "sscanf" (fun i -> Scanf.sscanf (Printf.sprintf "%d %d" i i) "%d %d" Int.equal);
          safe "asprintf" (fun i ->
              Format.asprintf "@[<v>%d@,%d@]" i i = Printf.sprintf "%d\n%d" i i);
          safe "a table that is read" (fun i -> Hashtbl.find table i = i);
          safe "Random" (fun _ -> Random.int 10 < 10);
          safe "Str without a wait" (fun i ->
              let text = Printf.sprintf "a %d" i in
              ignore (Str.search_forward (Str.regexp "[0-9]+") text 0);
              Str.matched_string text = string_of_int i);
          safe "Marshal" (fun i -> Marshal.from_string (Marshal.to_string [ i ] []) 0 = [ i ]);
        ] );
      ( "not the task's own",
        [
          case "printf" printf_is_several_writes;
          case "Str" str_forgets;
          case "Lazy" lazy_is_undefined;
          case "Drover.Lazy" lazy_of_tasks;
          case "Domain.DLS" domain's_is_not_the_task's;
          case "Mutex" mutex_of_the_thread;
          case "Drover.Mutex" mutex_of_tasks;
          case "folder, environment" of_the_process;
          case "Domain.at_exit" at_the_domain's_end;
          case "Unix.fork" no_fork;
        ] );
    ]
