(* Scopes with limits of memory. *)

open Test_support

let expect = Stranger.expect
let words = 300_000

let case ?seconds name f =
  Watchdog.case ?seconds name (fun () ->
      f ();
      List.iter (fun domains -> Drover.run ~domains f) [ 1; 2; 4 ])

(* Each allocates for ever, or so many words. *)

let small () = ignore (Sys.opaque_identity (ref 0))
let large () = ignore (Sys.opaque_identity (Array.make 1000 0))

let for_ever f () =
  while true do
    f ()
  done

let allocate n =
  for _ = 1 to n / 2 do
    small ()
  done

let exceeds what f =
  match Drover.Scope.limited ~allocated:words f with
  | _ -> failwith (what ^ ": it ended")
  | exception Drover.Scope.Exceeded { limit = Allocated limit; used } ->
      expect "the limit" words limit;
      expect "the use" true (used > limit)

let is_alone () =
  Option.fold ~none:false ~some:(fun p -> Drover.Pool.size p = 1) (Drover.Pool.current ())

let allocation () =
  exceeds "small blocks" (for_ever small);
  exceeds "large blocks" (for_ever large);
  exceeds "forks" (fun () -> Drover.both (for_ever small) (for_ever small));
  exceeds "a loop" (fun () -> Drover.parallel_for ~start:1 ~finish:10 (fun _ -> for_ever small ()));
  exceeds "tasks" (fun () ->
      Drover.Scope.run (fun s ->
          Drover.Scope.spawn s (for_ever small);
          Drover.Scope.spawn s (for_ever large)))

(* None reaches the limit by itself. *)
let together () =
  let part i =
    allocate (words / 10);
    if i land 7 = 0 then Drover.sleep 0.
  in
  let for_ever () =
    while true do
      Drover.parallel_for ~start:1 ~finish:16 part
    done
  in
  exceeds "parts" for_ever;
  exceeds "parts in scopes" (fun () -> Drover.Scope.limited ~allocated:max_int for_ever);
  exceeds "parts that wait" (fun () ->
      while true do
        allocate 1000;
        Drover.sleep 0.
      done)

let not_counted () =
  let body () =
    Drover.Scope.protect (fun () -> allocate (10 * words));
    Drover.await (Drover.async (fun () -> allocate (10 * words)));
    Gc.minor ();
    1
  in
  expect "what is masked, and what goes its own way" 1 (Drover.Scope.limited ~allocated:words body)

let below () =
  let part i =
    allocate (words / 1000);
    i
  in
  let sum () = Drover.parallel_reduce ~start:1 ~finish:100 ~init:0 ~combine:( + ) part in
  expect "the value" 5050
    (Drover.Scope.limited ~timeout:3600. ~heap:(1000 * words) ~allocated:(1000 * words) sum)

(* A limit inside another ends its own scope; and what it allocates is the outer one's too, which goes on
   for long enough to be stopped. *)
let nested () =
  let inner () = exceeds "the inner one" (for_ever small) in
  Drover.Scope.limited ~allocated:(1000 * words) inner;
  let inner_first () =
    inner ();
    for_ever small ()
  in
  match Drover.Scope.limited ~allocated:1000 inner_first with
  | () -> failwith "the outer one goes on"
  | exception Drover.Scope.Exceeded { limit = Allocated 1000; _ } -> ()

let mega = 131072 (* words *)

let heap_of size =
  let kept = ref [] in
  let keep () =
    while true do
      kept := Bytes.make size 'x' :: !kept
    done
  in
  match Drover.Scope.limited ~heap:(16 * mega) keep with
  | () -> assert false
  | exception Drover.Scope.Exceeded { limit = Heap limit; used } ->
      expect "the limit" (16 * mega) limit;
      expect "the use" true (used > limit)

let heap () = List.iter heap_of [ 100; 5_000; 1_000_000 ]

let garbage_of size =
  let drop () =
    for _ = 1 to 64 * 1024 * 1024 / size do
      ignore (Sys.opaque_identity (Bytes.make size 'x'))
    done
  in
  Drover.Scope.limited ~heap:(16 * mega) drop

let garbage () = if not (is_alone ()) then List.iter garbage_of [ 5_000; 1_000_000 ]

(* Nor is what others leave behind room for the next one. Looks come at minor collections: what has been run
   before may have made the minor heaps as large as the limit. *)
let one_after_the_other () =
  let most = 16 * mega and length = ref 0 in
  let enough () = (2 * most) + (4 * (Gc.get ()).minor_heap_size) in
  let keep () =
    let kept = ref [] in
    length := 0;
    while true do
      kept := !length :: !kept;
      incr length
    done
  in
  for _ = 1 to 8 do
    match Drover.Scope.limited ~heap:most keep with
    | () -> assert false
    | exception Drover.Scope.Exceeded _ ->
        expect "it is stopped near its limit" true (3 * !length < enough ())
  done

(* A neighbour grows meanwhile, in [its] scope, and the code itself keeps nothing. *)

let beside its f =
  Gc.full_major ();
  let grown, say_so = Drover.Promise.create () and over, finish = Drover.Promise.create () in
  let grow () =
    its (fun () ->
        let kept = Array.make (12 * mega) 0 in
        Drover.Promise.fulfil say_so ();
        Drover.await over;
        ignore (Sys.opaque_identity kept))
  in
  Drover.Scope.limited ~heap:(4 * mega) (fun () ->
      let neighbour = Drover.async grow in
      Drover.await grown;
      f ();
      Drover.Promise.fulfil finish ();
      Drover.await neighbour)

let neighbours () =
  let with_no_limit grow = grow ()
  and with_another grow = Drover.Scope.limited ~heap:(100 * mega) grow in
  let make_young () = allocate (24 * mega)
  and make_old () =
    for _ = 1 to 24 * mega / 1000 do
      large ();
      small ()
    done
  in
  beside with_no_limit make_young;
  beside with_another make_young;
  beside with_another make_old

let time () =
  let spin () =
    while true do
      ignore (Sys.opaque_identity ())
    done
  in
  match Drover.Scope.limited ~timeout:0.01 ~heap:(1000 * mega) spin with
  | () -> assert false
  | exception Drover.Scope.Timeout -> ()

let rec spin () = if Sys.opaque_identity true then spin ()

(* Whether a limit was reached is known even of code that swallows the exception. *)
let results () =
  let limited f = Drover.Scope.limited_result ~timeout:0.01 ~heap:(1000 * mega) f in
  let is_timeout exn = exn = Drover.Scope.Timeout in
  (match Drover.Scope.limited_result ~timeout:3600. ~allocated:(1000 * words) (fun () -> 1) with
  | Ok 1 -> ()
  | _ -> failwith "it is not within its limits");
  (match limited spin with
  | Error (limit, None) when is_timeout limit -> ()
  | _ -> failwith "it did not run out of time");
  (match limited (fun () -> try spin () with _ -> ()) with
  | Error (limit, Some ()) when is_timeout limit -> ()
  | _ -> failwith "that it ran out of time is not said");
  (match Drover.Scope.limited_result ~timeout:0. (fun () -> failwith "it began") with
  | Error (limit, None) when is_timeout limit -> ()
  | _ -> failwith "it had time");
  match limited (fun () -> raise Exit) with
  | _ -> failwith "its exception is lost"
  | exception Exit -> ()

(* Where no thread can be made for the time limit, that is said. The scene plays itself once more, with room
   for no other stack. *)
let no_thread =
  let check () =
    match Drover.run ~domains:1 (fun () -> Drover.Scope.limited ~timeout:5. spin) with
    | () -> failwith "it ended"
    | (exception Failure _) | (exception Drover.Scope.Timeout) -> ()
  and play_without_room () =
    Unix.putenv "NO_ROOM" "";
    let command = "ulimit -s 2000000 && ulimit -v 3000000 || exit 0; exec \"$0\" \"$@\"" in
    Unix.execv "/bin/sh" (Array.append [| "sh"; "-c"; command |] Sys.argv)
  in
  let play () = if Sys.getenv_opt "NO_ROOM" = None then play_without_room () else check () in
  { Child.name = "a time without a thread"; play }

let misuse () =
  let refused f =
    match f () with () -> failwith "not refused" | exception Invalid_argument _ -> ()
  in
  refused (fun () -> Drover.Scope.limited ~heap:(-1) ignore);
  refused (fun () -> Drover.Scope.limited ~allocated:(-1) ignore);
  refused (fun () -> Drover.Scope.limited ~timeout:nan ignore);
  match Drover.Scope.limited ~timeout:0. ignore with
  | () -> failwith "it began"
  | exception Drover.Scope.Timeout -> ()

let () =
  Child.main [ no_thread ] @@ fun () ->
  Alcotest.run "limited"
    [
      ( "allocation",
        [
          case "beyond the limit" allocation;
          case "together" together;
          case "that does not count" not_counted;
          case "below the limit" below;
          case "nested" nested;
        ] );
      ( "heap",
        [
          case ~seconds:300. "beyond the limit" heap;
          case "with garbage" garbage;
          case ~seconds:600. "one after the other" one_after_the_other;
          case ~seconds:300. "beside others" neighbours;
        ] );
      ( "others",
        [
          case "time" time;
          case "as results" results;
          Child.case ~parameters:"d=4" no_thread;
          case "misuse" misuse;
        ] );
    ]
