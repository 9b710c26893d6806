(* The command "bench scaling": how programs scale on simulated processors. *)

open Cmdliner
open Drover_machine
open Drover_scaling
open Drover_show
open Drover_sim_programs

let machines =
  [
    ("server", (Model.server, [ 1; 2; 4; 8; 16; 32; 64; 128 ]));
    ( "two_sockets",
      ((fun n -> Model.(with_processors n two_sockets)), [ 1; 2; 4; 8; 16; 32; 64; 128 ]) );
    ("laptop", ((fun n -> Model.(with_processors n laptop)), [ 1; 2; 4; 6; 8 ]));
    ("virtual", (Model.virtual_, [ 1; 2; 4; 8 ]));
  ]

let machine =
  let doc = "The machine: $(b,server), $(b,two_sockets), $(b,laptop), or $(b,virtual), as ours." in
  let name = Arg.enum (List.map (fun (name, _) -> (name, name)) machines) in
  Arg.(value & opt name "server" & info [ "machine" ] ~docv:"NAME" ~doc)

let processors =
  let doc =
    "How many processors the machine has, and the program uses; by default up to 128, where the \
     machine may be as large, and up to 32 with $(b,--weak), as there is so much more to simulate."
  in
  let count = Arguments.bounded ~docv:"N" ~least:1 ~most:128 in
  Arg.(value & opt (some (list ~sep:',' count)) None & info [ "processors" ] ~docv:"N,..." ~doc)

(* All programs, both ways, take less than ten minutes. *)
let most_if_weak = 32

let weak =
  let doc = "Give each processor as much to do. By default the work is the same on any number." in
  Arg.(value & flag & info [ "weak" ] ~doc)

let work =
  let doc =
    "How much each program has to do, for one processor; by default 10, and with $(b,--weak) 2 for \
     each. Much is wanted for what takes a while to begin, such as what a pool does about \
     $(b,--neighbours)."
  in
  let count = Arguments.bounded ~docv:"MS" ~least:1 ~most:10_000 in
  Arg.(value & opt (some count) None & info [ "work" ] ~docv:"MS" ~doc)

let only =
  let doc =
    "Run $(docv) only, which may be several. Of a single one the table has details. $(b,--list) \
     lists the names."
  in
  Arguments.only ~doc All.programs (fun (p : Program.t) -> p.name)

let seed =
  let doc = "The same $(docv) gives the same figures." in
  let number = Arguments.bounded ~docv:"N" ~least:0 ~most:max_int in
  Arg.(value & opt number 1 & info [ "seed" ] ~docv:"N" ~doc)

let neighbours =
  let doc = "Let $(docv) busy processes of somebody else's use the processors as well." in
  let count = Arguments.bounded ~docv:"N" ~least:0 ~most:1024 in
  Arg.(value & opt count 0 & info [ "neighbours" ] ~docv:"N" ~doc)

let policy =
  let doc =
    "Run each program again with another policy of the scheduler, to see what ours is for: $(docv) \
     is one of " ^ Arg.doc_alts Mutants.policies ^ "."
  in
  let name = Arg.enum (List.map (fun p -> (p, p)) Mutants.policies) in
  Arg.(value & opt (some name) None & info [ "policy" ] ~docv:"POLICY" ~doc)

let low =
  let doc = "Assume the low estimate of what lines, wake-ups and collections cost." in
  Arg.(value & flag & info [ "low" ] ~doc)

let high =
  let doc = "Assume the high estimate; with $(b,--low), show what lies between the two." in
  Arg.(value & flag & info [ "high" ] ~doc)

let json =
  let doc = "Write all figures to $(docv), as JSON." in
  Arg.(value & opt (some filepath) None & info [ "json" ] ~docv:"FILE" ~doc)

let plot =
  let doc = "Draw the speed-ups of the programs, at most five, into $(docv), as SVG." in
  Arg.(value & opt (some filepath) None & info [ "plot" ] ~docv:"FILE" ~doc)

let timeline =
  let doc =
    "Write what each worker did to $(docv), as the web page of $(b,drover trace): of one program, \
     on one number of processors."
  in
  Arg.(value & opt (some filepath) None & info [ "timeline" ] ~docv:"FILE" ~doc)

let list =
  let doc = "List the programs, and do nothing else." in
  Arg.(value & flag & info [ "list" ] ~doc)

let print_list () = List.iter (fun (p : Program.t) -> Fmt.pr "%-16s %s@." p.name p.doc) All.programs

let estimates ~low ~high : Study.estimate list =
  match (low, high) with
  | false, false -> [ Middle ]
  | true, false -> [ Low ]
  | false, true -> [ High ]
  | true, true -> [ Low; Middle; High ]

let title machine (s : Study.settings) =
  let neighbours =
    if s.neighbours = 0 then "" else Printf.sprintf " beside %d others" s.neighbours
  in
  Printf.sprintf "speed-up on a simulated machine, %s%s, %s" machine neighbours
    (match s.scaling with
    | Strong ms -> Printf.sprintf "%d ms of work" ms
    | Weak ms -> Printf.sprintf "%d ms of work each" ms)

let print title (studies : Study.t list) =
  Fmt.pr "%a" Table.pp (Tables.speed_ups ~title studies);
  match studies with
  | [ study ] -> Fmt.pr "%a%a" Table.pp (Tables.time study) Table.pp (Tables.lines study)
  | _ -> ()

let write file text = Destination.write file (fun channel -> Out_channel.output_string channel text)

let save ~json ~plot ~title (s : Study.settings) studies =
  let settings = [ ("title", `String title); ("seed", `Int s.seed) ] in
  Option.iter
    (fun file ->
      write file (Yojson.Safe.pretty_to_string (Json.of_studies settings studies) ^ "\n"))
    json;
  let draw file =
    let picture = Curves.speed_ups ~about:title studies in
    write file (Picture.to_svg picture ~style:Html.picture_style)
  in
  Option.iter draw plot

let draw_timeline (s : Study.settings) (p : Program.t) ~processors file =
  let title = Printf.sprintf "%s on %s" p.name (s.machine processors).name in
  write file (Timeline.page ~title (Study.log s p ~processors))

let most_curves = 5

let run ~wrong_result ~machine ~policy ~json ~plot ~timeline (settings : Study.settings) programs =
  let title = title machine settings in
  let progress = Progress.on_terminal () in
  Progress.begins progress (List.length programs);
  let study (p : Program.t) =
    Progress.next progress;
    Progress.report progress p.name;
    Study.of_program settings p
  in
  let studies = List.map study programs in
  Progress.clear progress;
  print title studies;
  let with_policy policy =
    World.mutant := policy;
    Progress.begins progress (List.length programs);
    let studies = List.map study programs in
    World.mutant := "";
    Progress.clear progress;
    print (title ^ ", " ^ policy) studies
  in
  Option.iter with_policy policy;
  save ~json ~plot ~title settings studies;
  Option.iter
    (draw_timeline settings (List.hd programs) ~processors:(List.hd settings.processors))
    timeline;
  let failures = List.concat_map Tables.failures studies in
  List.iter (Fmt.epr "bench: %s@.") failures;
  if failures = [] then Cmd.Exit.ok else wrong_result

let check ~json ~plot ~timeline ~processors programs =
  let are_writable = List.map Destination.check (List.filter_map Fun.id [ json; plot; timeline ]) in
  if plot <> None && List.length programs > most_curves then
    Error "--plot draws at most five programs: choose them by --only"
  else if timeline <> None && (List.length programs > 1 || List.length processors > 1) then
    Error "--timeline is of one program on one number of processors: see --only and --processors"
  else Option.value (List.find_opt Result.is_error are_writable) ~default:(Ok ())

let term ~wrong_result ~bad_input =
  let open Term.Syntax in
  let+ machine
  and+ processors
  and+ weak
  and+ work
  and+ only
  and+ seed
  and+ neighbours
  and+ policy
  and+ low
  and+ high
  and+ json
  and+ plot
  and+ timeline
  and+ list in
  if list then begin
    print_list ();
    Cmd.Exit.ok
  end
  else
    let model, usual = List.assoc machine machines in
    let usual = if weak then List.filter (fun n -> n <= most_if_weak) usual else usual in
    let processors = List.sort_uniq Int.compare (Option.value processors ~default:usual) in
    let programs = if only = [] then All.programs else only in
    let settings : Study.settings =
      {
        machine = model;
        processors;
        scaling =
          (if weak then Weak (Option.value work ~default:2)
           else Strong (Option.value work ~default:10));
        estimates = estimates ~low ~high;
        seed;
        neighbours;
      }
    in
    match check ~json ~plot ~timeline ~processors programs with
    | Ok () -> run ~wrong_result ~machine ~policy ~json ~plot ~timeline settings programs
    | Error why ->
        Fmt.epr "bench: %s@." why;
        bad_input

let man =
  [
    `S Manpage.s_description;
    `P
      "Runs programs with the real scheduler on processors that are simulated, in virtual time: \
       the figures are those of a model, and the same on every machine.";
    `S Manpage.s_examples;
    `Pre "bench scaling";
    `Pre "bench scaling --only for-1us --low --high";
    `Pre "bench scaling --processors 16 --policy 'wakes for each region'";
    `Pre "bench scaling --only heavy --processors 16 --timeline heavy.html";
    `Pre "bench scaling --weak --only tree-1us,for-1us --plot scaling.svg";
  ]

let command ~exits ~wrong_result ~bad_input =
  let doc = "show how programs scale on simulated processors" in
  Cmd.v (Cmd.info "scaling" ~doc ~exits ~man) (term ~wrong_result ~bad_input)
