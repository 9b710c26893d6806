(* Schedules: looks for a seed with which something goes wrong, or repeats one (see [Round]). *)

open Drover_schedules

let () =
  let from = ref 1
  and seeds = ref 10
  and domains = ref 0
  and strikes = ref 0
  and strike = ref (-1)
  and parts = ref Program.Structure in
  let set_parts = function
    | "everything" -> parts := Program.Everything
    | other -> raise (Arg.Bad ("no parts: " ^ other))
  in
  Arg.parse
    [
      ("--from", Arg.Set_int from, "SEED the first seed (1)");
      ("--seeds", Arg.Set_int seeds, "N how many seeds (10)");
      ("--domains", Arg.Set_int domains, "N in pools of so many (from 1 to 8, by the seed)");
      ("--strikes", Arg.Set_int strikes, "N as often again with a strike at random (0)");
      ("--strike", Arg.Set_int strike, "N only with a strike at allocation N (0: with none)");
      ("--parts", Arg.String set_parts, "everything: batches, channels and locks, too");
      ( "--mutant",
        Arg.String (fun m -> Drover_machine.World.mutant := m),
        "FAULT with a fault (see sim/machine/mutants.ml)" );
    ]
    (fun other -> raise (Arg.Bad other))
    "schedules.exe [OPTION]...";
  let round seed strikes =
    let domains = if !domains > 0 then !domains else 1 lsl (seed mod 4) in
    { Round.seed; domains; parts = !parts; strikes }
  and print failure = print_endline (Round.failure_to_string failure) in
  if !strike >= 0 then begin
    Round.is_told := true;
    let round = round !from (if !strike = 0 then Never else At !strike) in
    print_endline (Round.program round);
    let result = Round.in_machine round in
    if result.complaints <> [] then print (round, result);
    (* What is registered for the end of a program is of that simulated one, which is gone. *)
    Unix._exit (if result.complaints = [] then 0 else 1)
  end
  else
    let failures seed = Round.failures ~strikes:!strikes (round seed Never) in
    let found =
      List.concat_map
        (fun seed ->
          let found = failures seed in
          List.iter print found;
          found)
        (List.init !seeds (fun i -> !from + i))
    in
    Printf.printf "%d failures\n" (List.length found);
    if found <> [] then exit 1
