(* Random programs on one domain, and a fault at each safepoint in turn, perhaps with one more soon after
   (see [Safepoints]).

   Without arguments: a few points of a few programs, as a test. Otherwise

   program_points.exe FROM TO STRIDE

   goes through the programs with these seeds. *)

open Fault

(* The kind of fault for the safepoint [point]. *)
let kind point : (module KIND) =
  (module struct
    let name = "points"
    let limits = no_limits
    let parameters ~domains:_ = ""
    let install = Safepoints.install

    let arm _ =
      let gap = 1 + (point * 7919 mod 37) in
      Safepoints.arm (fun () -> raise Fault) ~point ~times:(1 + (point land 1)) ~gap

    let disarm = Safepoints.disarm
    let is_known e = e = Fault
    let companions = 0
    let wrap f = f ()
    let count () = 0
  end)

let play seed point =
  let round = { Round.kind = kind point; domains = 1; seed; path = [] } in
  let guard phase f =
    let what = Printf.sprintf "seed %d, point %d, in %s" seed point phase in
    Test_support.Watchdog.guard ~seconds:30. what f
  in
  match Round.run round ~guard with
  | [] -> ()
  | complaints ->
      Printf.ksprintf failwith "seed %d, point %d:\n  %s" seed point
        (String.concat "\n  " complaints)

let rec play_from seed point ~stride ~most =
  play seed point;
  if !Safepoints.has_happened && point < most then play_from seed (point + stride) ~stride ~most

let case seed () = play_from seed (1 + (seed mod 97)) ~stride:97 ~most:600

let () =
  let (module Kind) = kind 0 in
  Kind.install ();
  Thread.set_uncaught_exception_handler ignore;
  Drover.Promise.on_unawaited_failure (fun _ _ -> ());
  match Sys.argv with
  | [| _; first; last; stride |] ->
      let stride = int_of_string stride in
      for seed = int_of_string first to int_of_string last do
        play_from seed (1 + (seed mod stride)) ~stride ~most:15_000;
        Printf.printf "seed %d\n%!" seed
      done
  | _ ->
      let test seed = Alcotest.test_case (Printf.sprintf "program %d" seed) `Quick (case seed) in
      Alcotest.run "points of programs" [ ("programs", List.map test [ 1; 2; 3; 4; 5; 6 ]) ]
