(* As [unit_struck], for values that others wait for, and what is handed over. *)

open Test_support
open Struck
module Promise = Drover.Promise
module Scope = Drover.Scope
module Memo = Drover.Memo
module Local = Drover.Local

(* What the first of [fs] holds, the others wait for, until all have begun and [tell] goes. *)
let contend tell fs =
  let start s f =
    let begun, tell = Promise.create () in
    Scope.spawn s (fun () ->
        Promise.fulfil tell ();
        f ());
    Drover.await begun
  in
  Scope.run (fun s ->
      List.iter (start s) fs;
      Promise.fulfil tell ())

(* Who needs a value that another computes gets it, or what has struck that one. No [check]: it is for one domain
   at a time. *)
let got expected get =
  match get () with v -> assert (v = expected) | exception (Struck | Drover.Cancelled _) -> ()

let memo ?bound () =
  let calls = Array.make 3 0 and go, tell = Promise.create () in
  let compute get n =
    if n = 0 then Drover.await go;
    let v = if n = 0 then 0 else 1 + get (n - 1) in
    calls.(n) <- calls.(n) + 1;
    v
  in
  let table = Memo.create ?bound compute in
  let get n () = got n (fun () -> Memo.get table n) in
  ( (fun () -> contend tell [ get 2; get 2; get 1 ]),
    fun () ->
      if not (Promise.is_settled go) then Promise.fulfil tell ();
      Drover.run ~domains:1 (fun () -> List.iter (fun n -> get n ()) [ 0; 1; 2 ]);
      if bound = None then check "computed once" (Array.for_all (fun n -> n <= 1) calls) )

(* Words that a run allocates to wait for one that lies far below it, although others wait for the run itself: it
   does not look for a circle among these. *)
let words_to_wait () =
  let words = ref 0. and go, tell = Promise.create () in
  let compute get n =
    if n = 0 then Drover.await go
    else if n <> 100 then get (n - 1)
    else begin
      let before = Gc.minor_words () in
      get 0;
      words := Gc.minor_words () -. before
    end
  in
  let table = Memo.create compute in
  Drover.run ~domains:1 (fun () ->
      let tasks = List.map (fun n -> Begun.task (fun () -> Memo.get table n)) [ 80; 160 ] in
      Promise.fulfil tell ();
      List.iter Drover.await tasks);
  !words

let usual = words_to_wait ()

(* Others may allocate, too. *)
let rec is_cheap tries = words_to_wait () <= 2. *. usual || (tries > 0 && is_cheap (tries - 1))

(* Each needs the other. Who has looked for a circle, and was struck, is over with that. *)
let circles () =
  let compute get n =
    Drover.sleep 0.;
    1 + get (1 - n)
  in
  let table = Memo.create compute in
  let get n () = try got (-1) (fun () -> Memo.get table n) with Memo.Cycle -> () in
  let both = [ get 0; get 1 ] in
  ( (fun () -> List.iter Drover.await (List.map Drover.async both)),
    fun () ->
      Drover.run ~domains:1 (fun () -> List.iter (fun get -> get ()) both);
      check "waits are cheap" (is_cheap 5) )

(* Whose wait is struck waits no more: so who waits for it then closes no circle. *)
let struck_waits () =
  let is_told = ref false in
  let program () =
    let begun = Array.init 2 (fun _ -> Promise.create ()) and is_struck = ref false in
    let started, tell_started = Promise.create () and asks, tell = Promise.create () in
    let compute get n =
      Promise.fulfil (snd begun.(n)) ();
      if n = 0 then begin
        (try get 1 with Memo.Cycle -> () | Struck -> is_struck := true);
        Drover.await asks
      end
      else begin
        Drover.await started;
        let is_struck = !is_struck in
        Promise.fulfil tell ();
        try get 0 with Memo.Cycle -> is_told := is_struck
      end
    in
    let table = Memo.create compute in
    let start s n =
      Scope.spawn s (fun () -> Memo.get table n);
      Drover.await (fst begun.(n))
    in
    Scope.run (fun s ->
        start s 1;
        start s 0;
        Promise.fulfil tell_started ())
  in
  (program, fun () -> check "no circle" (not !is_told))

let lazies () =
  let calls = ref 0 and go, tell = Promise.create () in
  let compute () =
    Drover.await go;
    incr calls;
    7
  in
  let l = Drover.Lazy.from_fun compute in
  let force () = got 7 (fun () -> Drover.Lazy.force l) in
  ( (fun () -> contend tell [ force; force; force ]),
    fun () ->
      if not (Promise.is_settled go) then Promise.fulfil tell ();
      force ();
      check "computed once" (!calls <= 1) )

let sequences map () =
  let f n = if n land 1 = 0 then Drover.sleep 0. in
  ((fun () -> Seq.iter ignore (map f (Seq.init 4 Fun.id))), ignore)

(* Who is struck as it unlocks may leave the mutex locked, and then its scope ends the others' waits. *)
let mutexes () =
  let m = Drover.Mutex.create () and go, tell = Promise.create () in
  let protected () = Drover.Mutex.protect m (fun () -> Drover.await go) in
  ((fun () -> contend tell [ protected; protected; protected ]), ignore)

let channels () =
  let program () =
    let c = Drover.Chan.bounded 1 in
    let send () =
      List.iter (Drover.Chan.send c) [ 1; 2; 3 ];
      Drover.Chan.close c
    in
    ignore (Drover.both send (fun () -> Drover.Chan.iter ignore c) : unit * unit)
  in
  (program, ignore)

(* A task settles others, whose functions have a context of their own, and comes back to its own. *)
let derived () =
  let is_elsewhere = ref false and here = Local.create 0 in
  let program () =
    let promise, tell = Promise.create () in
    let mapped = Promise.map ignore promise in
    let settle () =
      (try Promise.fulfil tell ()
       with Struck -> if not (Promise.is_settled promise) then Promise.fulfil tell ());
      if Local.get here <> 1 then is_elsewhere := true
    in
    Local.with_value here 1 settle;
    ignore (Drover.await (Promise.all [ promise; mapped ]) : unit list);
    Drover.await (Promise.any [ mapped; promise ])
  in
  (program, fun () -> check "in its own context" (not !is_elsewhere))

let cases =
  [
    ("values of a memo", fun () -> memo ());
    ("values of a memo with a bound", fun () -> memo ~bound:2 ());
    ("circles of a memo", circles);
    ("waits of a memo", struck_waits);
    ("lazy values", lazies);
    ("sequences", sequences (fun f -> Drover.Seq.map f));
    ("unordered sequences", sequences (fun f -> Drover.Seq.map_unordered f));
    ("mutexes", mutexes);
    ("channels", channels);
    ("promises of others", derived);
  ]

let () =
  Promise.on_unawaited_failure (fun _ _ -> ());
  let twice name make =
    Watchdog.case name (fun () ->
        for again = 1 to 6 do
          at_each_allocation ~again 1 make ()
        done)
  in
  Alcotest.run "unit struck values"
    (on_domains cases
    @ [
        ( "twice",
          [
            twice "values of a memo" (fun () -> memo ());
            twice "lazy values" lazies;
            twice "sequences" (sequences (fun f -> Drover.Seq.map f));
          ] );
      ])
