(* Storms: see [Storm]. With a number as its argument, the program runs storms of so many tasks on 1,
   2, 4 and 8 domains, and tells about them. *)

open Test_support

let check (o : Storm.outcome) =
  Alcotest.(check (list string)) "complaints" [] o.complaints;
  if o.ended = 0 || o.skipped = 0 then Alcotest.fail "no storm: all was skipped, or nothing"

let storm domains () =
  for seed = 1 to 4 do
    check (Storm.run ~domains ~seed 5000)
  done

(* What a longer storm leaves does not grow with the number of tasks: a suspended task that stayed
   would be some fifty words. *)
let leaves_nothing () =
  let run n = check (Storm.run ~domains:2 ~seed:n n) in
  run 2000;
  Leak.check "words" ~limit:200_000 Leak.live_words (fun () -> run 20_000)

let tell n domains =
  let start = Unix.gettimeofday () in
  let o = Storm.run ~domains ~seed:n n in
  Printf.printf "%d domains: %d ended, %d skipped, %d complaints, %.1f s, %d words live\n%!" domains
    o.ended o.skipped (List.length o.complaints)
    (Unix.gettimeofday () -. start)
    (Leak.live_words ());
  List.iter print_endline o.complaints

let all_domains = [ 1; 2; 4; 8 ]

let () =
  (* Losers of a race may fail when they are cancelled. *)
  Drover.Promise.on_unawaited_failure (fun _ _ -> ());
  match Sys.argv with
  | [| _; n |] when Option.is_some (int_of_string_opt n) ->
      List.iter (tell (int_of_string n)) all_domains
  | _ ->
      let case domains =
        Watchdog.case ~seconds:300. (Printf.sprintf "%d domains" domains) (storm domains)
      in
      Alcotest.run "stress storm"
        [
          ("storm", List.map case all_domains);
          ("heap", [ Watchdog.case ~seconds:300. "leaves nothing" leaves_nothing ]);
        ]
