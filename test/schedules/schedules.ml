(* Schedules: looks for a seed with which something goes wrong, or repeats one (see [Round]). *)

open Drover_schedules

let from = ref 1
let seeds = ref 10
let domains = ref 0
let strikes = ref 0
let strike = ref (-1)
let subject = ref (Round.Random_program Structure)

let find_case name =
  match List.find_opt (fun (c : Case.t) -> c.name = name) Cases.all with
  | Some case -> subject := Case case
  | None ->
      let names = List.map (fun (c : Case.t) -> "  " ^ c.name) Cases.all in
      raise (Arg.Bad (String.concat "\n" ("no such case; there are:" :: names)))

let set_parts = function
  | "everything" -> subject := Random_program Everything
  | "structure" -> subject := Random_program Structure
  | other -> raise (Arg.Bad ("no parts: " ^ other))

let options =
  [
    ("--from", Arg.Set_int from, "SEED the first seed (1)");
    ("--seeds", Arg.Set_int seeds, "N how many seeds (10)");
    ("--domains", Arg.Set_int domains, "N in pools of so many (from 1 to 8, by the seed)");
    ("--strikes", Arg.Set_int strikes, "N as often again with a strike at random (0)");
    ( "--strike",
      Arg.Set_int strike,
      "N only the first seed, with a strike at allocation N (0: with none), and with a log" );
    ("--parts", Arg.String set_parts, "everything: batches, channels and locks, too");
    ("--case", Arg.String find_case, "NAME the case of that name, not random programs");
    ( "--mutant",
      Arg.String (fun m -> Drover_machine.World.mutant := m),
      "FAULT with a fault (see sim/machine/mutants.ml)" );
  ]

let round seed strikes : Round.t =
  let domains = if !domains > 0 then !domains else 1 lsl (seed mod 4) in
  { seed; domains; subject = !subject; strikes }

let print failure = print_endline (Round.failure_to_string failure)

let repeat () =
  Round.is_told := true;
  Drover_machine.Log.listener := Some (fun e -> print_endline (Drover_machine.Log.to_string e));
  let round = round !from (if !strike = 0 then Never else At !strike) in
  print_endline (Round.program round);
  let result = Round.in_machine round in
  if result.complaints <> [] then print (round, result);
  (* What is registered for the end of a program is of that simulated one, which is gone. *)
  Unix._exit (if result.complaints = [] then 0 else 1)

let search () =
  let failures seed =
    let found = Round.failures ~strikes:!strikes (round seed Never) in
    List.iter print found;
    List.length found
  in
  let found = List.fold_left ( + ) 0 (List.init !seeds (fun i -> failures (!from + i))) in
  Printf.printf "%d failures\n" found;
  if found > 0 then exit 1

let () =
  Arg.parse options (fun other -> raise (Arg.Bad other)) "schedules.exe [OPTION]...";
  if !strike >= 0 then repeat () else search ()
