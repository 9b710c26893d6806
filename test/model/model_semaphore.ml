(* Semaphores, with the code that waits at them: no permit is lost or made, nobody waits while one
   is free, and those who come through are never more than the permits. *)

open Waiter

let model ~overdue ~permits ~users ~cancelled () =
  System.all_overdue := overdue;
  let s = Turnstile.create "" ~most:max_int permits in
  let inside = ref 0 and through = ref 0 and given_up = ref 0 in
  let use () =
    match Turnstile.acquire ~n:1 s Hold.nobody with
    | exception Cancelled _ -> incr given_up
    | () ->
        incr inside;
        Alcotest.(check bool) "within bounds" true (!inside <= permits);
        decr inside;
        incr through;
        ignore (Turnstile.release ~n:1 s : bool)
  in
  let finally () =
    Alcotest.(check int) "all came through or gave up" (users + cancelled) (!through + !given_up);
    Alcotest.(check int) "all permits are free" permits (Turnstile.free s);
    Alcotest.(check bool) "only those who must gave up" true (!given_up <= cancelled)
  in
  let some n patience = List.init n (fun _ -> patience use) in
  (some users process @ some cancelled impatient, finally)

(* Permits are given out, and kept. *)
let gives ~permits ~users ~cancelled () =
  let s = Turnstile.create "" ~most:max_int 0 in
  let through = ref 0 and waiting = ref 0 in
  let use () =
    incr waiting;
    (match Turnstile.acquire ~n:1 s Hold.nobody with
    | () -> incr through
    | exception Cancelled _ -> ());
    decr waiting
  and give () = ignore (Turnstile.release ~n:1 s : bool) in
  let finally () =
    Alcotest.(check int) "no permit is lost" permits (!through + Turnstile.free s);
    Alcotest.(check bool) "nobody waits for a free one" true (!waiting = 0 || Turnstile.free s = 0)
  in
  let some n f = List.init n (fun _ -> f) in
  (some users (process use) @ some cancelled (impatient use) @ some permits give, finally)

(* A signal's handler raises out of a thread's second wait, before or after it was given the permit; others
   went before it after the first. *)
let interrupted ~overdue () =
  System.all_overdue := overdue;
  Worker.is_outside := true;
  let s = Turnstile.create "" ~most:1 0 in
  let waits = ref 0 in
  let wait register =
    incr waits;
    if !waits = 1 then Waiter.wait register
    else begin
      register (Waiter.of_thread ());
      raise Exit
    end
  in
  let acquire () =
    match Turnstile.acquire_by wait ~n:1 s Hold.nobody with
    | () -> ignore (Turnstile.release ~n:1 s : bool)
    | exception Exit -> ()
  and give () = ignore (Turnstile.release ~n:1 s : bool)
  and pass () = if Turnstile.try_acquire ~n:1 s then ignore (Turnstile.release ~n:1 s : bool) in
  ([ process acquire; give; pass ], fun () -> Alcotest.(check int) "given back" 1 (Turnstile.free s))

(* Each user needs so many permits; those who are cancelled need two. *)
let several ~needs ~cancelled () =
  let permits = 2 in
  let s = Turnstile.create "" ~most:max_int permits in
  let inside = ref 0 and through = ref 0 and given_up = ref 0 in
  let use n () =
    match Turnstile.acquire ~n s Hold.nobody with
    | exception Cancelled _ -> incr given_up
    | () ->
        inside := !inside + n;
        Alcotest.(check bool) "within bounds" true (!inside <= permits);
        inside := !inside - n;
        incr through;
        ignore (Turnstile.release ~n s : bool)
  in
  let finally () =
    Alcotest.(check int)
      "all came through or gave up"
      (List.length needs + cancelled)
      (!through + !given_up);
    Alcotest.(check int) "all permits are free" permits (Turnstile.free s);
    Alcotest.(check bool) "only those who must gave up" true (!given_up <= cancelled)
  in
  ( List.map (fun n -> process (use n)) needs @ List.init cancelled (fun _ -> impatient (use 2)),
    finally )

(* Permits come one by one, or all at once. *)
let gathers ~needs ~gifts () =
  let s = Turnstile.create "" ~most:max_int 0 in
  let through = ref 0 in
  let use n () =
    Turnstile.acquire ~n s Hold.nobody;
    incr through
  and give n () = ignore (Turnstile.release ~n s : bool) in
  let finally () =
    Alcotest.(check int) "all came through" (List.length needs) !through;
    Alcotest.(check int) "none is left" 0 (Turnstile.free s)
  in
  (List.map (fun n -> process (use n)) needs @ List.map give gifts, finally)

(* A read-write lock: a permit for each reader that there can be, and all of them for a writer. *)
let readers_and_writers ~readers ~writers ~cancelled () =
  let all = max_int in
  let s = Turnstile.create "" ~most:all all in
  let reading = ref 0 and writing = ref 0 and through = ref 0 and given_up = ref 0 in
  let within n inside check () =
    match Turnstile.acquire ~n s Hold.nobody with
    | exception Cancelled _ -> incr given_up
    | () ->
        incr inside;
        Alcotest.(check bool) "within bounds" true (check ());
        decr inside;
        incr through;
        ignore (Turnstile.release ~n s : bool)
  in
  let read = within 1 reading (fun () -> !writing = 0)
  and write = within all writing (fun () -> !writing = 1 && !reading = 0) in
  let finally () =
    Alcotest.(check int)
      "all came through or gave up"
      (readers + writers + cancelled)
      (!through + !given_up);
    Alcotest.(check int) "nobody holds it" all (Turnstile.free s);
    Alcotest.(check bool) "only those who must gave up" true (!given_up <= cancelled)
  in
  let some n f = List.init n (fun _ -> f) in
  ( some readers (process read) @ some writers (process write) @ some cancelled (impatient write),
    finally )

let trying () =
  let s = Turnstile.create "" ~most:max_int 1 in
  let got = ref 0 in
  let attempt () =
    if Turnstile.try_acquire ~n:1 s then begin
      incr got;
      ignore (Turnstile.release ~n:1 s : bool)
    end
  and use () =
    Turnstile.acquire ~n:1 s Hold.nobody;
    incr got;
    ignore (Turnstile.release ~n:1 s : bool)
  in
  ( [ process use; attempt ],
    fun () ->
      Alcotest.(check bool) "who waits comes through" true (!got >= 1);
      Alcotest.(check int) "free" 1 (Turnstile.free s) )

let too_many () =
  let s = Turnstile.create "" ~most:1 0 in
  let kept = ref 0 in
  let give () = if Turnstile.release ~n:1 s then incr kept in
  ([ give; give ], fun () -> Alcotest.(check (pair int int)) "one" (1, 1) (!kept, Turnstile.free s))

let () =
  Alcotest.run "model semaphore"
    [
      ( "semaphore",
        [
          Explore.case "one permit, two users"
            (model ~overdue:false ~permits:1 ~users:2 ~cancelled:0);
          Explore.case "a user is cancelled" (model ~overdue:false ~permits:1 ~users:1 ~cancelled:1);
          Explore.case "handed over" (model ~overdue:true ~permits:1 ~users:2 ~cancelled:0);
          Explore.case "handed over to one who is cancelled"
            (model ~overdue:true ~permits:1 ~users:1 ~cancelled:1);
          Explore.case "given to one who waits" (gives ~permits:1 ~users:2 ~cancelled:0);
          Explore.case "given to one who may give up" (gives ~permits:1 ~users:1 ~cancelled:1);
          Explore.case "interrupted" (interrupted ~overdue:false);
          Explore.case "given to one who is interrupted" (interrupted ~overdue:true);
          Explore.case "two permits and one" (several ~needs:[ 2; 1 ] ~cancelled:0);
          Explore.case "one who needs two is cancelled" (several ~needs:[ 1 ] ~cancelled:1);
          Explore.case "permits gather" (gathers ~needs:[ 2 ] ~gifts:[ 1; 1 ]);
          Explore.case "permits for two" (gathers ~needs:[ 2; 1 ] ~gifts:[ 3 ]);
          Explore.case "a reader and a writer"
            (readers_and_writers ~readers:1 ~writers:1 ~cancelled:0);
          Explore.case "two writers" (readers_and_writers ~readers:0 ~writers:2 ~cancelled:0);
          Explore.case "a reader, and a writer that is cancelled"
            (readers_and_writers ~readers:1 ~writers:0 ~cancelled:1);
          Explore.case "trying" trying;
          Explore.case "too many" too_many;
        ] );
    ]
