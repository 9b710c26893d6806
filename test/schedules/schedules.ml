(* Schedules: random programs on simulated processors, with delays at accesses to shared memory, and strikes at
   the opportunities of a signal, as Ctrl-C with a handler that raises is one.

   schedules.exe [--seeds N] [--from SEED] [--only KIND] [--domains N] *)

module Machine = Drover_machine

type strikes = Never | At of int (* the number of the opportunity *)
type round = { seed : int; domains : int; parts : Program.parts; strikes : strikes }
type result = { complaints : string list; allocations : int (* opportunities of a signal *) }

let is_told = ref false (* where a strike comes *)
let is_known e = e = Stdlib.Sys.Break

let body round w allocations =
  let random = Random.State.make [| round.seed |] in
  let program = Program.random round.parts random in
  let env = { Meaning.world = w; value = 0; wrap = (fun f -> f ()); is_known } in
  let strike () =
    incr allocations;
    if round.strikes = At !allocations then begin
      if !is_told then print_endline (Printexc.raw_backtrace_to_string (Printexc.get_callstack 40));
      raise Stdlib.Sys.Break
    end
  in
  let go () = Drover.run ~domains:round.domains (fun () -> Meaning.eval env program) in
  match Machine.Disturb.with_signals strike go with
  | () -> ()
  | exception (Drover.Cancelled _ as e) -> World.complain w ("run: " ^ Printexc.to_string e)
  | exception e ->
      if not (Meaning.is_known env e) then World.complain w ("run: " ^ Printexc.to_string e)

let in_machine round =
  let model = Machine.Model.server (1 + (round.seed mod 8)) in
  let allocations = ref 0 and place = ref "the program" in
  let world = ref None in
  match
    Machine.Run.run ~seed:round.seed ~limit:60_000_000_000 model (fun () ->
        Machine.Disturb.delays ~one_in:16;
        let w = World.create () in
        world := Some w;
        World.handle_signal ();
        body round w allocations;
        Oracle.check w ~guard:(fun name f ->
            place := name;
            f ()))
  with
  | () ->
      let w = Option.get !world in
      {
        complaints = Stdlib.List.sort_uniq compare (Atomic.get w.complaints);
        allocations = !allocations;
      }
  | exception e ->
      { complaints = [ !place ^ ": " ^ Printexc.to_string e ]; allocations = !allocations }

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

let show round =
  Printf.sprintf "--from %d --domains %d --parts %s --strike %d" round.seed round.domains
    (match round.parts with Program.Everything -> "everything" | Structure -> "structure")
    (match round.strikes with Never -> 0 | At n -> n)

let failures = ref 0

let report round result =
  if result.complaints <> [] then begin
    incr failures;
    Printf.printf "%s\n  %s\n%!" (show round) (String.concat "\n  " result.complaints)
  end

(* Each program, without strikes, and then with some at random allocations. *)
let play ~strikes ~parts ~domains seed =
  let round = { seed; domains; parts; strikes = Never } in
  let result = run round in
  report round result;
  if strikes > 0 && result.allocations > 0 then begin
    let random = Random.State.make [| seed; 2 |] in
    for _ = 1 to strikes do
      let round = { round with strikes = At (1 + Random.State.int random result.allocations) } in
      report round (run round)
    done
  end

let () =
  let from = ref 1
  and seeds = ref 10
  and domains = ref 0
  and strikes = ref 0
  and strike = ref (-1) in
  let parts = ref Program.Structure in
  Arg.parse
    [
      ("--from", Arg.Set_int from, "");
      ("--seeds", Arg.Set_int seeds, "");
      ("--domains", Arg.Set_int domains, "");
      ("--strikes", Arg.Set_int strikes, "");
      ("--strike", Arg.Set_int strike, "");
      ("--mutant", Arg.String (fun m -> Machine.World.mutant := m), "");
      ("--parts", Arg.String (fun p -> if p = "everything" then parts := Program.Everything), "");
    ]
    ignore "";
  if !strike >= 0 then begin
    let strikes = if !strike = 0 then Never else At !strike in
    is_told := true;
    let round = { seed = !from; domains = !domains; parts = !parts; strikes } in
    let result = in_machine round in
    print_endline (Program.show (Program.random round.parts (Random.State.make [| round.seed |])));
    report round result;
    (* What is registered for the end of a program is of that simulated one, which is gone. *)
    Unix._exit (Int.min 1 !failures)
  end
  else begin
    for seed = !from to !from + !seeds - 1 do
      let domains = if !domains > 0 then !domains else 1 lsl (seed mod 4) in
      play ~strikes:!strikes ~parts:!parts ~domains seed
    done;
    Printf.printf "%d failures\n" !failures
  end
