(* Rounds: a random program or a case on simulated processors, with delays at accesses to shared memory, and perhaps
   a strike at an opportunity of a signal, as Ctrl-C with a handler that raises is one. *)

module Machine = Drover_machine

type subject = Random_program of Program.parts | Case of Case.t
type strikes = Never | At of int (* the number of the opportunity *)
type t = { seed : int; domains : int; subject : subject; strikes : strikes }
type result = { complaints : string list; allocations : int (* opportunities of a signal *) }

let is_told = ref false (* where a strike comes *)
let is_known e = e = Stdlib.Sys.Break
let random_of (round : t) = Random.State.make [| round.seed |]

let program (round : t) =
  match round.subject with
  | Random_program parts -> Program.show (Program.random parts (random_of round))
  | Case c -> c.name

(* Handlers *)

let raises (round : t) allocations () =
  incr allocations;
  if round.strikes = At !allocations then begin
    if !is_told then print_endline (Printexc.raw_backtrace_to_string (Printexc.get_callstack 40));
    raise Stdlib.Sys.Break
  end

let starts is_time () =
  if !is_time && Drover.Pool.current () <> None then begin
    Machine.Log.tell (Notes ("a handler starts a task", 1));
    ignore (Drover.async ignore : unit Drover.Promise.t)
  end

(* Words. So a deque that grows is about once interrupted by a handler. *)
let one_in = 64

let with_handler (round : t) allocations f =
  match round.subject with
  | Case { handler = Nothing; _ } -> f ()
  | Case { handler = Starts_while is_time; _ } ->
      Machine.Disturb.with_signals ~one_in (starts is_time) f
  | Random_program _ | Case { handler = Raises; _ } ->
      Machine.Disturb.with_signals (raises round allocations) f

(* [run f] is [f ()] in a task of the main program's: whether it has returned. *)
let run_main (round : t) ~complain allocations f =
  match with_handler round allocations (fun () -> Drover.run ~domains:round.domains f) with
  | () -> true
  | exception e ->
      if not (is_known e) then complain ("run: " ^ Printexc.to_string e);
      false

(* What a round does, up to the checks in the end. [at] says where it is. *)

let play_program (round : t) parts ~complain ~at allocations =
  let w = World.create () in
  World.handle_signal ();
  let env = { Meaning.world = w; value = 0; wrap = (fun f -> f ()); is_known } in
  let program = Program.random parts (random_of round) in
  ignore (run_main round ~complain allocations (fun () -> Meaning.eval env program) : bool);
  Oracle.check w ~guard:(fun name f ->
      at name;
      f ());
  Stdlib.List.iter complain (Atomic.get w.complaints)

let play_case (round : t) (c : Case.t) ~complain allocations =
  let run = run_main round ~complain allocations in
  c.play { domains = round.domains; random = random_of round; run; complain }

let in_machine (round : t) =
  let model = Machine.Model.server (1 + (round.seed mod 8)) in
  let allocations = ref 0 and place = ref "the program" and complaints = ref [] in
  let complain text = complaints := text :: !complaints in
  let play () =
    Machine.Disturb.delays ~one_in:(if round.seed / 8 mod 2 = 0 then 16 else 4);
    Drover.Promise.on_unawaited_failure (fun _ _ -> ());
    match round.subject with
    | Random_program parts -> play_program round parts ~complain ~at:(( := ) place) allocations
    | Case c -> play_case round c ~complain allocations
  in
  (match Machine.Run.run ~seed:round.seed ~limit:60_000_000_000 model play with
  | () -> ()
  | exception e -> complain (!place ^ ": " ^ Printexc.to_string e));
  { complaints = Stdlib.List.sort_uniq compare !complaints; allocations = !allocations }

(* [apart f] is [f ()], in a process that begins as this one does. *)
let apart f =
  let out_of, into = Unix.pipe ~cloexec:true () in
  match Unix.fork () with
  | 0 ->
      let channel = Unix.out_channel_of_descr into in
      Stdlib.Marshal.to_channel channel (f ()) [];
      close_out channel;
      Unix._exit 0
  | child ->
      Unix.close into;
      let channel = Unix.in_channel_of_descr out_of in
      let outcome =
        try Stdlib.Marshal.from_channel channel
        with End_of_file -> { complaints = [ "it has died" ]; allocations = 0 }
      in
      close_in channel;
      ignore (Unix.waitpid [] child : int * Unix.process_status);
      outcome

let run round = apart (fun () -> in_machine round)

let show (round : t) =
  let subject =
    match round.subject with
    | Random_program Everything -> "--parts everything"
    | Random_program Structure -> "--parts structure"
    | Case c -> Printf.sprintf "--case %S" c.name
  in
  Printf.sprintf "--from %d --domains %d %s --strike %d" round.seed round.domains subject
    (match round.strikes with Never -> 0 | At n -> n)

let random_strike random (result : result) = At (1 + Random.State.int random result.allocations)

(* Without strikes and then with some, at random: those rounds in which something went wrong. *)
let failures ?(strikes = 0) round =
  let result = run round in
  let struck _ =
    if result.allocations = 0 then []
    else
      let random = Random.State.make [| round.seed; strikes |] in
      Stdlib.List.init strikes (fun _ ->
          let round = { round with strikes = random_strike random result } in
          (round, run round))
  in
  Stdlib.List.filter (fun (_, result) -> result.complaints <> []) ((round, result) :: struck ())

let failure_to_string (round, result) =
  show round ^ "\n  " ^ Stdlib.String.concat "\n  " result.complaints
