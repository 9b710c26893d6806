(* A loop: its own run, the thieves that claim what it offers, and those that take what it gives. Each iteration
   is done once; and one of them, the last to end, counts [left] down to zero. *)

open Worker

type call = {
  given : Job.t list Atomic.t; (* the deque of all *)
  left : int Atomic.t;
  mutable iterations : int list; (* that were done *)
  mutable ends : int; (* how often [left] came to zero *)
  gives : bool; (* a run gives a half after its first iteration *)
  moves : bool; (* or goes on elsewhere *)
}

let worker call = { nobody with deque = Keeps call.given; loops = [] }
let leave call = if Atomic.fetch_and_add call.left (-1) = 1 then call.ends <- call.ends + 1

let rec take_next call loop =
  if loop.next < loop.stop then begin
    call.iterations <- loop.next :: call.iterations;
    loop.next <- loop.next + 1;
    take_next call loop
  end
  else if Open_loops.take_first loop then take_next call loop

(* As [Run] does it: an offer, the first iteration, and the others; and then the parts that nobody has begun. *)
let rec run call w first stop =
  let loop = Open_loops.create ~grain:1 ~left:call.left ~body:(run_part call) (first + 1) stop in
  w.loops <- [ loop ];
  Open_loops.offer_from w loop loop.next;
  call.iterations <- first :: call.iterations;
  if call.moves then begin
    Open_loops.seize loop;
    take_next call (Open_loops.copy loop)
  end
  else begin
    ignore (Open_loops.take_offer loop : bool);
    if call.gives then ignore (Open_loops.give w loop ~all:false ~behind:false : bool);
    take_next call loop
  end

and run_part call ~was_offer:_ first behind =
  run call (worker call) first behind;
  leave call

let run_hand { hand = Job.Job job; _ } = ignore (job.body ())

let rec take_given call () =
  match Atomic.get call.given with
  | [] -> ()
  | (Job.Job job as j) :: others as jobs ->
      if not (Atomic.compare_and_set call.given jobs others) then take_given call ()
      else if Job.claim job then run_hand { (worker call) with hand = j }

let loop ?(gives = false) ?(moves = false) ?(claimers = 0) ?(takers = 0) size () =
  let given = Atomic.make [] and left = Atomic.make 1 in
  let call = { given; left; iterations = []; ends = 0; gives; moves } in
  let owner = worker call in
  let own () =
    run call owner 1 (size + 1);
    leave call
  and claim () =
    let w = worker call in
    if List.exists (Open_loops.claim_offer w) owner.loops then run_hand w
  in
  let finally () =
    Explore.each_once size call.iterations;
    Alcotest.(check int) "nothing is left" 0 (Atomic.get left);
    Alcotest.(check int) "the last one saw it" 1 call.ends
  in
  let processes n f = List.init n (fun _ -> f) in
  ((own :: processes claimers claim) @ processes takers (take_given call), finally)

(* A loop begins, and says how far it goes, while its task is cancelled: then it is asked to look around. *)
let requests () =
  let token = Token.root ignore in
  Token.make_known token;
  let w = Worker.create token in
  Token.attend token (fun () -> List.iter ask_loop w.loops);
  let body ~was_offer:_ _ _ = () in
  let loop = Open_loops.create ~grain:1 ~left:(Atomic.make 1) ~body 0 10 in
  let run () =
    Open_loops.add w loop;
    Open_loops.set_until w loop 5
  and cancel () = Token.cancel token Exit
  and finally () = Alcotest.(check bool) "is asked" true (Open_loops.is_asked loop)
  and ({ until; _ } : Worker.loop) = loop
  and ({ loops; _ } : Worker.t) = w in
  let drains = [ Plain.drain 0 loops; Plain.drain 0 until; Plain.drain 1 until ] in
  (run :: cancel :: drains, finally)

let () =
  Alcotest.run "model loop"
    [
      ( "offers",
        [
          Explore.case "a thief" (loop 3 ~claimers:1);
          Explore.case "two thieves" (loop 2 ~claimers:2);
          Explore.case "two thieves, more iterations" (loop 3 ~claimers:2);
          Explore.case "a thief, and the frame is carried" (loop 3 ~moves:true ~claimers:1);
        ] );
      ( "parts",
        [
          Explore.case "a thief" (loop 3 ~gives:true ~takers:1);
          Explore.case "a thief, and one for the offer" (loop 3 ~gives:true ~claimers:1 ~takers:1);
        ] );
      ( "requests",
        [
          Explore.case "a cancellation is seen" (Plain.delayed ~fences:true requests);
          Explore.finds "or lost without a fence" (Plain.delayed ~fences:false requests);
        ] );
    ]
