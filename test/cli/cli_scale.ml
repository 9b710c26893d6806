(* drover scale: what it says of a program, its files, and its errors. *)

open Command
open Yojson.Safe.Util
module S = Drover.Scalability

let scale check =
  temporary ".json" (fun json ->
      temporary ".html" (fun html ->
          let code, _, err = call [ "scale"; "--json"; json; "--html"; html; subject; "2" ] in
          Alcotest.(check int) "the program's exit code" 3 code;
          check (Yojson.Safe.from_file json) (read html) err))

let number name json = member name json |> to_number

let figures () =
  scale (fun json _ err ->
      let work = number "work" json and span = number "span" json in
      Alcotest.(check bool) "work and span" true (0. < span && span <= work *. 1.0001);
      Alcotest.(check bool) "burdened" true (number "burdened_span" json >= span);
      let speedups = member "speedup" json |> to_list in
      let cores = List.map (fun s -> member "cores" s |> to_int) speedups in
      Alcotest.(check (list int)) "cores" [ 1; 2; 4; 8; 16; 32; 64; 128 ] cores;
      let ordered s =
        number "lower" s <= number "likely" s && number "likely" s <= number "upper" s
      in
      Alcotest.(check bool) "in order" true (List.for_all ordered speedups);
      let sites = member "sites" json |> to_list in
      let calls part =
        let is_there s = contains (member "place" s |> to_string) part in
        match List.find_opt is_there sites with
        | Some s -> member "calls" s |> to_int
        | None -> Alcotest.failf "%s is not among the call sites" part
      in
      Alcotest.(check int) "tasks" 500 (calls "Subject.blocks");
      Alcotest.(check int) "loops" 1 (calls "Subject.batches");
      List.iter (check_contains err) [ "parallelism"; "at least"; "where the span is" ];
      Alcotest.(check bool) "no colours" false (contains err "\027["))

let page () =
  scale (fun _ html _ ->
      List.iter (check_contains html) [ "<svg"; "prefers-color-scheme"; "viewport"; "subject.exe" ];
      Alcotest.(check bool) "nothing from the network" false (contains html "http"))

(* Tables and advice, without a program. *)

let measured : S.t =
  {
    work = 10.;
    span = 1.;
    burdened_span = 2.;
    sites =
      [
        { place = "A.f (a.ml:1)"; calls = 3; work = 9.; span = 0.9 };
        { place = "outside"; calls = 0; work = 1.; span = 0.1 };
      ];
  }

let show m = Fmt.str "%a" (Drover_scale.Print.pp "program") m

let table () =
  let shown = show measured in
  List.iter (check_contains shown)
    [ "A.f (a.ml:1)"; "90.0%"; "10.0"; "5.00"; "  8"; "divide what it runs further" ]

let bars () =
  let check expected (lower, likely, upper) =
    Alcotest.(check string) expected expected (Drover_scale.Print.bar { lower; likely; upper })
  in
  check "#" (0.5, 0.9, 1.);
  check "#++++...." (1., 2., 4.);
  check "#########" (4., 4., 4.)

let advice m expected () =
  let found = Drover_scale.Print.advice m in
  Alcotest.(check int) "how much" (List.length expected) (List.length found);
  List.iter2 check_contains found expected

let parse () =
  let lines = [ "program 0x1p+1 0x1p+0 0x1.8p+0"; "site 2 0x1p+1 0x1p+0 A.f (a b.ml:1)" ] in
  let m = Drover_scale.Measured.parse lines in
  Alcotest.(check (float 0.)) "work" 2. m.work;
  Alcotest.(check string) "place" "A.f (a b.ml:1)" (List.hd m.sites).place

let test name f = Alcotest.test_case name `Quick f

let () =
  Alcotest.run "cli scale"
    [
      ("a program", [ test "figures" figures; test "a page" page ]);
      ( "output",
        [
          test "tables" table;
          test "bars" bars;
          test "what a program says" parse;
          test "divide" (advice measured [ "A.f (a.ml:1)" ]);
          test "small pieces" (advice { measured with span = 0.01 } [ "cost of a steal" ]);
          test "nothing to say" (advice { measured with span = 0.01; burdened_span = 0.02 } []);
          test "serial"
            (advice { measured with sites = List.rev measured.sites } [ "forks nothing" ]);
        ] );
      ( "mistakes",
        [
          test "no program" (fails [ "scale" ] ~code:127 ~saying:[ "which program" ]);
          test "no such program" (fails [ "scale"; "./nothing" ] ~code:127 ~saying:[ "./nothing" ]);
          test "not Drover's" (fails [ "scale"; "true" ] ~code:126 ~saying:[ "must use Drover" ]);
          test "no place"
            (fails [ "scale"; "--json"; "/no/f"; "true" ] ~code:126 ~saying:[ "/no/f"; "/no" ]);
        ] );
    ]
