(* Pools that come and go: nothing leaks, and a pool may be closed at any moment. *)

open Test_support
open Drover
open Stdlib

let full = Sys.getenv_opt "DROVER_STRESS" = Some "full"
let set_ups = if full then 100_000 else 2_000

(* In kilobytes; what the C heap leaks shows only here. *)
let resident () =
  let pages = In_channel.with_open_bin "/proc/self/statm" In_channel.input_all in
  match String.split_on_char ' ' pages with
  | _ :: resident :: _ -> 4 * int_of_string resident
  | _ -> Alcotest.fail "/proc/self/statm"

let come_and_go domains n =
  for i = 1 to n do
    let a, b = run ~domains (fun () -> both (fun () -> await (async (fun () -> i))) ignore) in
    Stranger.expect "result" (i, ()) (a, b)
  done

(* Under one word per pool, under 100 bytes of the process besides some pages, and every domain can
   be had again. *)
let no_leak domains () =
  come_and_go domains 500;
  let round () = come_and_go domains set_ups in
  Leak.check "words" ~limit:set_ups Leak.live_words round;
  (* The sanitizer's own memory grows with each thread. *)
  if Option.is_none (Sys.getenv_opt "TSAN_OPTIONS") then
    Leak.check "kilobytes" ~limit:((set_ups / 10) + 1000) resident round;
  let p = Pool.create ~domains:128 () in
  let size = Pool.size p in
  Pool.close p;
  Alcotest.(check int) "domains to be had" 128 size

(* Callers of every kind use a pool while it is closed: what was accepted runs, once; the rest is
   refused. *)
let closed_in_the_middle domains () =
  for round = 1 to 50 do
    let p = Pool.create ~domains () in
    let accepted = Atomic.make 0 and ran = Atomic.make 0 in
    let submit () =
      let task () =
        ignore (both (fun () -> await (async ignore)) ignore : unit * unit);
        ignore (async (fun () -> Atomic.incr ran) : unit Promise.t)
      in
      match Pool.run p task with
      | () ->
          Atomic.incr accepted;
          true
      | exception Invalid_argument _ -> false
    in
    let rec until_refused () = if submit () then until_refused () in
    let threads = List.init 3 (fun _ -> Stranger.thread until_refused) in
    let others = List.init 2 (fun _ -> Stranger.domain until_refused) in
    for _ = 1 to round * 137 mod 3000 do
      Domain.cpu_relax ()
    done;
    Pool.close p;
    List.iter (fun join -> join ()) threads;
    List.iter (fun join -> join ()) others;
    Alcotest.(check int) "every accepted task has run" (Atomic.get accepted) (Atomic.get ran)
  done

(* Whoever closes waits for the end, whoever else does. *)
let closed_by_many () =
  for _ = 1 to 200 do
    let p = Pool.create ~domains:2 () in
    let ended = Atomic.make false in
    let task () =
      await (async ignore);
      Atomic.set ended true
    in
    Pool.run p (fun () -> ignore (async task : unit Promise.t));
    let close () =
      Pool.close p;
      Stranger.expect "the task has ended" true (Atomic.get ended)
    in
    let threads = List.init 3 (fun _ -> Stranger.thread close) in
    let other = Stranger.domain close in
    run ~domains:2 (fun () -> ignore (both close close : unit * unit));
    List.iter (fun join -> join ()) threads;
    other ()
  done

(* Pools within pools within pools, that fail half of the time. *)
let nested () =
  let rec nest depth i =
    if depth = 0 then if i land 1 = 0 then raise_notrace Exit else 1
    else
      let sub k () = run ~domains:2 (fun () -> nest (depth - 1) (i + k)) in
      let x, y = both (sub 0) (sub 1) in
      x + y
  in
  for i = 0 to 50 do
    match nest 3 i with _ -> Alcotest.fail "no failure" | exception Exit -> ()
  done

let () =
  Alcotest.run "stress pools"
    [
      ( "no leak",
        List.map
          (fun n ->
            let name = Printf.sprintf "%d pools of %d" set_ups n in
            Watchdog.case ~seconds:(if full then 3600.0 else 600.0) name (no_leak n))
          [ 1; 2 ] );
      ( "closed in the middle",
        List.map
          (fun n ->
            Watchdog.case ~seconds:300. (Printf.sprintf "%d domains" n) (closed_in_the_middle n))
          [ 1; 2; 4 ] );
      ("closed by many", [ Watchdog.case ~seconds:600. "two domains" closed_by_many ]);
      ("nested", [ Watchdog.case ~seconds:900. "three deep" nested ]);
    ]
