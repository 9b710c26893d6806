(* Lists, lazy sequences, delayed ones, bigarrays: misuse, laziness and failures. *)

open Test_support
module S = Drover.Seq
module D = Drover.Delayed

let misuse () =
  Failing.misuse "Drover.Seq.map:" (fun () -> S.map ~ahead:0 Fun.id Seq.empty);
  Failing.misuse "Drover.Seq.map_unordered:" (fun () -> S.map_unordered ~ahead:0 Fun.id Seq.empty);
  Failing.misuse "Drover.List.init:" (fun () -> Drover.List.init (-1) Fun.id);
  Failing.misuse "Drover.Delayed.tabulate:" (fun () -> D.tabulate (-1) Fun.id);
  Failing.misuse "Drover.Delayed.zip:" (fun () -> D.zip (D.tabulate 1 Fun.id) (D.tabulate 2 Fun.id));
  Failing.misuse "Drover.Float_array.init:" (fun () -> Drover.Float_array.init (-1) Float.of_int);
  Failing.misuse "Drover.Float_array.map2:" (fun () ->
      Drover.Float_array.(map2 ( +. ) (init 1 Float.of_int) (init 2 Float.of_int)));
  Failing.misuse "Drover.Bigarray1.init_float64:" (fun () ->
      Drover.Bigarray1.init_float64 (-1) Float.of_int);
  Failing.misuse "Drover.Bigarray1.blit:" (fun () ->
      Drover.Bigarray1.(blit (init_float64 1 Float.of_int) (init_float64 2 Float.of_int)))

let places = [ List.hd Place.all; Place.task 1; Place.task 2 ]
let each_place f () = List.iter (fun (place : Place.t) -> place.call f) places

(* The source is forced no further than [ahead] past what has been consumed. *)
let bounded map =
  each_place (fun () ->
      let forced = ref 0 in
      let source =
        Seq.map
          (fun x ->
            forced := x;
            x)
          (Seq.ints 1)
      in
      let rec consume n s =
        match s () with
        | Seq.Cons (_, rest) when n < 50 ->
            if !forced > n + 3 then Alcotest.failf "%d forced when %d are consumed" !forced n;
            consume (n + 1) rest
        | _ -> ()
      in
      let results = map source in
      Alcotest.(check int) "nothing before it is asked for" 0 !forced;
      consume 0 results)

let raises_in_place () =
  each_place
    (fun () ->
      let results =
        S.map ~ahead:4 (fun x -> if x = 5 then Failing.raise_here 5 else x) (Seq.ints 0)
      in
      let before = ref [] in
      Failing.check 5 (fun () -> Seq.iter (fun x -> before := x :: !before) results);
      Alcotest.(check (list int)) "all before it" [ 4; 3; 2; 1; 0 ] !before)
    ()

let source_raises () =
  each_place
    (fun () ->
      let source = Seq.map (fun x -> if x = 5 then Failing.raise_here 6 else x) (Seq.ints 0) in
      let before = ref 0 in
      Failing.check 6 (fun () -> Seq.iter (fun _ -> incr before) (S.map ~ahead:10 Fun.id source));
      Alcotest.(check int) "all before it" 5 !before)
    ()

let once () =
  let results = S.map Fun.id (Seq.ints 0) in
  ignore (Seq.uncons results : (int * int Seq.t) option);
  match Seq.uncons results with
  | _ -> Alcotest.fail "forced twice"
  | exception Seq.Forced_twice -> ()

(* The first element waits until the result of the second has come. *)
let as_ready () =
  Drover.run ~domains:2 (fun () ->
      let promise, resolver = Drover.Promise.create () in
      let f x =
        if x = 0 then Drover.await promise;
        x
      in
      let results = S.map_unordered ~ahead:2 f (List.to_seq [ 0; 1 ]) in
      let take x =
        if x = 1 then Drover.Promise.fulfil resolver ();
        x
      in
      Alcotest.(check (list int)) "order" [ 1; 0 ] (List.of_seq (Seq.map take results)))

(* After many cheap elements, when one task carries several. *)
let cheap = 5000

let maps =
  [ (fun f s -> S.map f s); (fun f s -> S.map_unordered f s); (fun f s -> S.map ~ahead:200 f s) ]

let each_map check () =
  List.iter
    (fun (map : (int -> int) -> int Seq.t -> int Seq.t) -> each_place (fun () -> check map) ())
    maps

let consume_all n s = Alcotest.(check int) "elements" n (Seq.length s)

(* The source waits for permits that the elements before give back. *)
let source_waits map =
  let permits = Drover.Semaphore.create 3 in
  let element i =
    Drover.Semaphore.acquire permits;
    i
  and f i =
    Drover.Semaphore.release permits;
    i
  in
  consume_all 300 (map f (Seq.init 300 element))

(* After many that are cheap, an element comes late, and the source waits for it before the next one. So a
   bundle is empty when its time is up. *)
let source_is_late map =
  let pairs = Array.init 1000 (fun _ -> Drover.Promise.create ()) in
  let is_late i = i mod 200 > 196 in
  let element i =
    if i > 0 && is_late (i - 1) then Drover.await (fst pairs.(i - 1));
    if is_late i then Unix.sleepf 0.005;
    i
  and f i =
    Drover.Promise.fulfil (snd pairs.(i)) ();
    i
  in
  consume_all 1000 (map f (Seq.init 1000 element))

(* Each hundredth element waits for one that comes later. *)
let waits_for_later map =
  let pairs = Array.init (cheap / 100) (fun _ -> Drover.Promise.create ()) in
  let f i =
    if i mod 100 = 0 then Drover.await (fst pairs.(i / 100))
    else if i mod 100 = 3 then Drover.Promise.fulfil (snd pairs.(i / 100)) ();
    i
  in
  consume_all cheap (map f (Seq.init cheap Fun.id))

(* By default, four elements for each worker are under way whatever a task carries. Two, where an element
   takes half of what a task is to. *)
let waits_for_the_last domains map =
  let n = 400 and last = (4 * domains) - 1 in
  let spin () =
    let until = Unix.gettimeofday () +. 11e-6 in
    while Unix.gettimeofday () < until do
      Domain.cpu_relax ()
    done
  in
  let attempt offset =
    let pairs = Array.init (n + last) (fun _ -> Drover.Promise.create ()) in
    let f i =
      spin ();
      if i >= last then Drover.Promise.fulfil (snd pairs.(i - last)) ();
      if i > n / 2 && i < n && i mod 20 = offset then Drover.await (fst pairs.(i));
      i
    in
    consume_all (n + last) (map f (Seq.init (n + last) Fun.id))
  in
  Drover.run ~domains (fun () ->
      for round = 0 to 39 do
        attempt (round mod 4)
      done)

(* Each hundredth element waits until the consumer has had one that comes before. *)
let waits_for_consumer map =
  let had = Array.init (cheap / 100) (fun _ -> Drover.Promise.create ()) in
  let f i =
    if i mod 100 = 99 then Drover.await (fst had.(i / 100));
    i
  in
  let take i = if i mod 100 = 97 then Drover.Promise.fulfil (snd had.(i / 100)) () in
  Seq.iter take (map f (Seq.init cheap Fun.id))

let fails_late () =
  each_place
    (fun () ->
      let f x = if x = cheap then Failing.raise_here 5 else x in
      let before = ref 0 in
      Failing.check 5 (fun () ->
          Seq.iter
            (fun x ->
              if x <> !before then Alcotest.failf "%d comes after %d elements" x !before;
              incr before)
            (S.map f (Seq.ints 0)));
      Alcotest.(check int) "all before it" cheap !before)
    ()

let bounded_late () =
  each_place
    (fun () ->
      let forced = ref 0 and had = ref 0 in
      let element i =
        incr forced;
        i
      in
      let take i =
        incr had;
        if !forced > !had + 99 then Alcotest.failf "%d forced when %d are consumed" !forced !had;
        i
      in
      consume_all cheap (Seq.map take (S.map ~ahead:100 succ (Seq.init cheap element))))
    ()

(* As long as the rest is to come. *)
let nothing_consumed_is_kept () =
  each_place
    (fun () ->
      let reach = Reach.create () in
      let results = S.map ~ahead:1 (fun i -> Reach.watch reach (ref i)) (Seq.ints 0) in
      let rec consume n results =
        match results () with
        | Seq.Cons (_, rest) when n > 1 -> consume (n - 1) rest
        | Seq.Cons (_, rest) -> rest
        | Seq.Nil -> results
      in
      let rest = consume 100 results in
      Alcotest.(check int) "reachable" 0 (Reach.remain reach);
      ignore (Sys.opaque_identity rest : int ref Seq.t))
    ()

let lazily () =
  let calls = Atomic.make 0 in
  let s =
    D.map
      (fun x ->
        Atomic.incr calls;
        x)
      (D.tabulate 1000 Fun.id)
  in
  Alcotest.(check int) "before" 0 (Atomic.get calls);
  D.iter ignore (D.filter (fun _ -> true) s);
  Alcotest.(check int) "once each" 1000 (Atomic.get calls)

let failures () =
  let tick x = if x = 500 then Failing.raise_here 7 in
  let l = List.init 1000 Fun.id in
  each_place
    (fun () ->
      Failing.check 7 (fun () -> Drover.List.map tick l);
      Failing.check 7 (fun () -> Drover.List.iter tick l);
      Failing.check 7 (fun () -> S.iter tick (List.to_seq l));
      Failing.check 7 (fun () -> D.iter tick (D.tabulate 1000 Fun.id));
      Failing.check 7 (fun () ->
          D.to_array
            (D.filter_map
               (fun x ->
                 tick x;
                 None)
               (D.tabulate 1000 Fun.id))))
    ()

(* [call visit] goes through 0 to 9999 on two domains, and cheap elements come first. The 3000th one waits
   until an element behind it has begun elsewhere, with the rest of the list. *)
let taken_midway call () =
  let has_begun = Atomic.make false in
  let visit x =
    if x > 3000 then Atomic.set has_begun true
    else if x = 3000 then
      while not (Atomic.get has_begun) do
        Domain.cpu_relax ()
      done
  in
  Drover.run ~domains:2 (fun () -> call visit)

let lists =
  let module L = Drover.List in
  let l = List.init 10_000 Fun.id and even x = x land 1 = 0 in
  let after visit f x =
    visit x;
    f x
  in
  let some x = if even x then Some x else None in
  let case name call = Watchdog.case name (taken_midway call) in
  let same = Alcotest.(check (list int)) "as in one go" in
  [
    case "map" (fun visit -> same (List.map succ l) (L.map (after visit succ) l));
    case "mapi" (fun visit ->
        same (List.map (fun x -> 2 * x) l) (L.mapi (fun i x -> i + after visit Fun.id x) l));
    case "filter" (fun visit -> same (List.filter even l) (L.filter (after visit even) l));
    case "filter_map" (fun visit -> same (List.filter even l) (L.filter_map (after visit some) l));
    case "iter" (fun visit ->
        let sum = Atomic.make 0 in
        L.iter (after visit (fun x -> ignore (Atomic.fetch_and_add sum x : int))) l;
        Alcotest.(check int) "each once" (List.fold_left ( + ) 0 l) (Atomic.get sum));
    case "fold" (fun visit ->
        let step acc x = after visit (fun x -> x :: acc) x in
        let behind = L.fold ~make:(fun () -> []) ~merge:(fun a b -> b @ a) step l in
        same l (List.rev behind));
    case "iteri" (fun visit ->
        let found = Array.make 10_000 0 in
        L.iteri (fun i x -> found.(i) <- after visit Fun.id x) l;
        same l (Array.to_list found));
    case "exists" (fun visit ->
        Alcotest.(check bool) "none" false (L.exists (after visit (fun x -> x < 0)) l));
    case "find_opt, the last one" (fun visit ->
        let found = L.find_opt (after visit (fun x -> x = 9_999)) l in
        Alcotest.(check (option int)) "found" (Some 9_999) found);
    case "find_map" (fun visit ->
        let found = L.find_map (after visit (fun x -> if x >= 9_000 then Some x else None)) l in
        Alcotest.(check (option int)) "the first" (Some 9_000) found);
  ]

(* The first element goes on until another worker has found an answer, or has failed: that of the caller counts. *)
let earlier_answer finds_later domains () =
  Drover.run ~domains (fun () ->
      let later = Atomic.make false in
      let f x =
        if x = 0 then begin
          if domains > 1 then Spin.until (fun () -> Atomic.get later);
          true
        end
        else begin
          Atomic.set later true;
          finds_later ()
        end
      in
      let found = Drover.List.find_opt f (List.init 1_000 Fun.id) in
      Alcotest.(check (option int)) "the first" (Some 0) found)

(* What lies behind an answer is not looked at to its end. *)
let stops () =
  let calls = Atomic.make 0 in
  let f x =
    Atomic.incr calls;
    x = 10
  in
  Alcotest.(check bool) "found" true (Drover.List.exists f (List.init 1_000_000 Fun.id));
  let calls = Atomic.get calls in
  if calls > 500_000 then Alcotest.failf "%d calls" calls

let () =
  Alcotest.run "sequence"
    [
      ("misuse", [ Watchdog.case "each" misuse ]);
      ( "lazy",
        [
          Watchdog.case "map looks a bounded way ahead" (bounded (S.map ~ahead:3 succ));
          Watchdog.case "any number of elements ahead" (fun () ->
              let sum s = Seq.fold_left ( + ) 0 s in
              let s = Seq.init 10 Fun.id in
              Alcotest.(check int) "map" 45 (sum (S.map ~ahead:max_int Fun.id s));
              Alcotest.(check int) "unordered" 45 (sum (S.map_unordered ~ahead:max_int Fun.id s)));
          Watchdog.case "map_unordered does, too" (bounded (S.map_unordered ~ahead:3 succ));
          Watchdog.case "results come once" once;
          Watchdog.case "unordered results come as they are ready" as_ready;
          Watchdog.case "a bounded way ahead of cheap elements" bounded_late;
          Watchdog.case "what was consumed is not kept" nothing_consumed_is_kept;
          Watchdog.case "a pipeline runs when it is consumed" lazily;
        ] );
      ( "cheap elements",
        [
          Watchdog.case "a source that waits for elements" (each_map source_waits);
          Watchdog.case "a late source that waits for elements" (each_map source_is_late);
          Watchdog.case "elements that wait for later ones" (each_map waits_for_later);
          Watchdog.case "elements that wait for the last one under way" (fun () ->
              List.iter
                (fun domains ->
                  waits_for_the_last domains (fun f s -> S.map f s);
                  waits_for_the_last domains (fun f s -> S.map_unordered f s))
                [ 1; 2 ]);
          Watchdog.case "elements that wait for the consumer" (each_map waits_for_consumer);
          Watchdog.case "one that fails" fails_late;
        ] );
      ("the rest of a list, taken by another", lists);
      ( "searches of lists",
        [
          Watchdog.case "the first answer" (earlier_answer (fun () -> true) 2);
          Watchdog.case "an answer before a failure" (earlier_answer (fun () -> failwith "later") 2);
          Watchdog.case "on one domain" (earlier_answer (fun () -> failwith "later") 1);
          Watchdog.case "stops, outside a task" stops;
          Watchdog.case "stops, in a task" (fun () -> Drover.run ~domains:2 stops);
        ] );
      ( "failures",
        [
          Watchdog.case "an element that fails" raises_in_place;
          Watchdog.case "a source that fails" source_raises;
          Watchdog.case "backtraces" failures;
        ] );
    ]
