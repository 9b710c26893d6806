(* A fork: published by its owner, claimed by thieves, cancelled from above, and joined. It runs once, is
   skipped, or is recalled; its end is seen once, and what its failure was a cause for is forgiven. *)

exception Reason
exception Own

type ran = { mutable owner : int; mutable thief : int; mutable skipped : int }

let parent_context () =
  let token = Token.root ignore in
  Token.make_known token;
  { Context.none with token }

let run_claimed ran (job : _ Job.job) outcome =
  let p = Job.published_of job in
  if Token.start p.context.token then begin
    ran.thief <- ran.thief + 1;
    Job.conclude job outcome
  end
  else begin
    ran.skipped <- ran.skipped + 1;
    Job.skip job
  end

let fork ?(thieves = 1) ?(is_cancelled = false) ?(gives_up = false) ~fails () =
  let context = parent_context () in
  let job = Job.fork ignore and ran = { owner = 0; thief = 0; skipped = 0 } in
  let ended = ref false in
  let outcome = if fails then Failure.catch (fun () -> raise Own) else Ok () in
  let own () =
    ignore (Job.publish job (Job.public (Context.fork context)) : bool);
    if Job.recall job then ran.owner <- ran.owner + 1
    else begin
      if gives_up then Job.cancel job Reason;
      Job.on_end job (fun () -> ended := true)
    end
  and steal () = if Job.claim job then run_claimed ran job outcome
  and cancel () = Token.cancel context.token Reason in
  let finally () =
    Alcotest.(check int) "begun once" 1 (ran.owner + ran.thief + ran.skipped);
    Alcotest.(check bool) "the owner learns of the end" (ran.owner = 0) !ended;
    if !ended then begin
      let result = Option.get (Job.result job) in
      Alcotest.(check bool) "outcome" (ran.skipped > 0 || fails) (Result.is_error result)
    end;
    Alcotest.(check bool) "causes" is_cancelled (Token.is_interrupted context.token);
    Token.finish context.token;
    Alcotest.(check bool) "no cause is left" false (Token.is_interrupted context.token)
  in
  (((own :: List.init thieves (fun _ -> steal)) @ if is_cancelled then [ cancel ] else []), finally)

(* A task, and the rest of one: one of those who come by begins it. *)
let once make () =
  let (Job.Job job) = make ignore in
  let begun = ref 0 in
  let claim () = if Job.claim job then incr begun in
  let finally () = Alcotest.(check int) "begun once" 1 !begun in
  ([ claim; claim; claim ], finally)

let () =
  Alcotest.run "model job"
    [
      ( "fork",
        [
          Explore.case "a thief" (fun () -> fork ~fails:false ());
          Explore.case "a thief, where it fails" (fun () -> fork ~fails:true ());
          Explore.case "two thieves" (fun () -> fork ~thieves:2 ~fails:false ());
          Explore.case "a thief, cancelled" (fun () -> fork ~is_cancelled:true ~fails:false ());
          Explore.case "a thief, cancelled, where it fails" (fun () ->
              fork ~is_cancelled:true ~fails:true ());
          Explore.case "a thief, given up" (fun () -> fork ~gives_up:true ~fails:false ());
        ] );
      ("task", [ Explore.case "three claims" (once Job.task) ]);
      ("rest", [ Explore.case "three claims" (once Job.rest) ]);
    ]
