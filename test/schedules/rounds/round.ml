(* Rounds: a random program on simulated processors, with delays at accesses to shared memory, and perhaps a strike at
   an opportunity of a signal, as Ctrl-C with a handler that raises is one. *)

module Machine = Drover_machine

type strikes = Never | At of int (* the number of the opportunity *)
type t = { seed : int; domains : int; parts : Program.parts; strikes : strikes }
type result = { complaints : string list; allocations : int (* opportunities of a signal *) }

let is_told = ref false (* where a strike comes *)
let is_known e = e = Stdlib.Sys.Break
let random_program (round : t) = Program.random round.parts (Random.State.make [| round.seed |])
let program round = Program.show (random_program round)

let body (round : t) w allocations =
  let program = random_program round in
  let env = { Meaning.world = w; value = 0; wrap = (fun f -> f ()); is_known } in
  let strike () =
    incr allocations;
    if round.strikes = At !allocations then begin
      if !is_told then print_endline (Printexc.raw_backtrace_to_string (Printexc.get_callstack 40));
      raise Stdlib.Sys.Break
    end
  in
  Drover.Promise.on_unawaited_failure (fun _ _ -> ());
  let go () = Drover.run ~domains:round.domains (fun () -> Meaning.eval env program) in
  match Machine.Disturb.with_signals strike go with
  | () -> ()
  | exception (Drover.Cancelled _ as e) -> World.complain w ("run: " ^ Printexc.to_string e)
  | exception e ->
      if not (Meaning.is_known env e) then World.complain w ("run: " ^ Printexc.to_string e)

let in_machine (round : t) =
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

let show (round : t) =
  Printf.sprintf "--from %d --domains %d --parts %s --strike %d" round.seed round.domains
    (match round.parts with Program.Everything -> "everything" | Structure -> "structure")
    (match round.strikes with Never -> 0 | At n -> n)

let random_strike random (result : result) = At (1 + Random.State.int random result.allocations)

(* A program, without strikes and then with some, at random: those rounds in which something went wrong. *)
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
