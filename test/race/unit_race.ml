(* Each race is found in one run, at a site that is known; and its twin is silent. *)

open Drover_race

let report () = Format.asprintf "%t" Races.print
let sites () = List.concat_map (fun (a, b) -> List.filter_map Sites.place [ a; b ]) (Races.pairs ())

let run program is_racy =
  Races.forget ();
  program is_racy;
  Alcotest.(check bool) "all is over, and nothing is recorded any more" false !Sync.is_recording

let racy program what () =
  run program true;
  let is_named = List.exists (fun { Sites.what = w; _ } -> what = "" || w = what) (sites ()) in
  if not is_named then Alcotest.failf "%s is not found:\n%s" what (report ());
  Races.forget ()

let twin program () =
  run program false;
  if Races.count () > 0 then Alcotest.failf "it has no race:\n%s" (report ())

let cases (name, program, what) =
  [
    Alcotest.test_case name `Quick (racy program what);
    Alcotest.test_case (name ^ ", its twin") `Quick (twin program);
  ]

(* What a report says beside the places. *)

let contains text = Str.string_match (Str.regexp (".*" ^ Str.quote text))

let says program text is_said () =
  run program true;
  let lines = String.split_on_char '\n' (report ()) in
  let is_there = List.exists (fun line -> contains text line 0) lines in
  Alcotest.(check bool) text is_said is_there;
  Races.forget ()

let order = "on schedules with this order of locks, messages and atomics"

let known () =
  let file = Filename.temp_file "known" "" in
  run Test_race_programs.Races_of_accesses.reference true;
  Races.write_known file;
  Races.read_known file;
  Alcotest.(check int) "the same are known" 0 (Races.count ());
  Races.forget ();
  run Test_race_programs.Races_of_accesses.incremented true;
  Alcotest.(check int) "others are not" 1 (Races.count ());
  Races.forget ();
  Sys.remove file

(* As the bridges to Lwt and Eio do. *)
let staff () =
  match Drover.Pool.staff (Drover.Pool.default ()) with
  | () -> Alcotest.fail "there is a domain"
  | exception Failure why ->
      let said = contains "drover race runs all on one" why 0 in
      Alcotest.(check bool) why true said

(* The programs name modules of the standard library, of Drover and of Domainslib, which some of them open. *)
let unseen () = Alcotest.(check (list string)) "there are none" [] (Sites.unseen ())

let reports =
  Test_race_programs.
    [
      Alcotest.test_case "of every schedule" `Quick (says Races_of_accesses.many_fields order false);
      Alcotest.test_case "of this order of messages" `Quick (says Races_of_order.channel order true);
      Alcotest.test_case "known" `Quick known;
      Alcotest.test_case "a pool without a domain" `Quick staff;
      Alcotest.test_case "modules that were not rewritten" `Quick unseen;
    ]

let () =
  let group (name, all) = (name, List.concat_map cases all) in
  Alcotest.run ~and_exit:false "races"
    (("reports", reports)
    :: List.map group
         Test_race_programs.
           [
             ("accesses", Races_of_accesses.all);
             ("opened", Races_of_opened.all);
             ("Drover, opened", Races_of_opened_drover.all);
             ("frontiers", Races_of_frontiers.all);
             ("structures", Races_of_structures.all);
             ("control", Races_of_control.all);
             ("order", Races_of_order.all);
             ("messages", Races_of_messages.all);
             ("domainslib", Races_of_domainslib.all);
           ])
