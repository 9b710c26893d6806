(* Streams whose elements are computed by tasks. *)

open Test_support
open Lwt.Syntax
module Stream = Drover_lwt.Stream

let case name f = Watchdog.case name (fun () -> Lwt_main.run (f ()))
let check_int what expected found = Alcotest.(check int) what expected found
let check_list what expected found = Alcotest.(check (list int)) what expected found
let upto n = List.init n Fun.id
let square x = x * x

let in_order () =
  let of_length (n, look_ahead) =
    let source = Lwt_stream.of_list (upto n) in
    let+ found = Lwt_stream.to_list (Stream.map ~look_ahead square source) in
    check_list
      (Printf.sprintf "%d elements, %d ahead" n look_ahead)
      (List.map square (upto n))
      found
  in
  Lwt_list.iter_s of_length [ (0, 1); (1, 1); (1, 8); (100, 1); (100, 3); (1000, 64); (10, 1000) ]

let unordered () =
  let of_length (n, look_ahead) =
    let source = Lwt_stream.of_list (upto n) in
    let+ found = Lwt_stream.to_list (Stream.map_unordered ~look_ahead square source) in
    check_list
      (Printf.sprintf "%d elements, %d ahead" n look_ahead)
      (List.map square (upto n))
      (List.sort Int.compare found)
  in
  Lwt_list.iter_s of_length [ (0, 1); (1, 1); (100, 1); (100, 3); (1000, 64); (10, 1000) ]

(* The first element comes last. *)
let ready_first () =
  let gate, open_ = Drover.Promise.create () in
  let f x = if x = 0 then Drover.await gate else x in
  let stream = Stream.map_unordered ~look_ahead:4 f (Lwt_stream.of_list (upto 10)) in
  let* nine = Lwt_stream.nget 9 stream in
  Drover.Promise.fulfil open_ 0;
  let+ last = Lwt_stream.to_list stream in
  check_list "the others" (List.tl (upto 10)) (List.sort Int.compare nine);
  check_list "the slow one" [ 0 ] last

(* How many elements were read from the source that nobody has taken. *)
let bounded map () =
  let read = ref 0 and taken = ref 0 and most = ref 0 in
  let source =
    Lwt_stream.from (fun () ->
        let+ () = Lwt.pause () in
        incr read;
        most := Int.max !most (!read - !taken);
        if !read <= 50 then Some !read else None)
  in
  let stream = map ~look_ahead:5 square source in
  let* () = Lwt.pause () in
  check_int "nothing is read before it is asked for" 0 !read;
  let rec take () =
    let* element = Lwt_stream.get stream in
    match element with
    | None -> Lwt.return_unit
    | Some _ ->
        incr taken;
        let* () = Lwt.pause () in
        take ()
  in
  let+ () = take () in
  check_int "elements" 50 !taken;
  (* One more may be read between the moment when an element is taken and that when we count it. *)
  if !most > 6 then Alcotest.failf "%d ahead" !most

(* An element that fails fails where it is taken. *)
let failing_element () =
  let f x = if x = 3 then Failing.raise_here 3 else x in
  let stream = Stream.map ~look_ahead:4 f (Lwt_stream.of_list (upto 6)) in
  let* first = Lwt_stream.nget 3 stream in
  let* () =
    Lwt.try_bind
      (fun () -> Lwt_stream.get stream)
      (fun _ -> Alcotest.fail "no failure")
      (function
        | Failing.Failed 3 -> Lwt.return_unit
        | exn -> Alcotest.failf "raised %s" (Printexc.to_string exn))
  in
  let+ rest = Lwt_stream.to_list stream in
  check_list "before and after" [ 0; 1; 2; 4; 5 ] (first @ rest)

(* The elements before the source's failure come first. *)
let failing_source map () =
  let n = ref 0 in
  let source =
    Lwt_stream.from (fun () ->
        incr n;
        if !n <= 3 then Lwt.return (Some !n) else Lwt.fail Exit)
  in
  let stream = map ~look_ahead:10 square source in
  let* first = Lwt_stream.nget 3 stream in
  check_list "before" [ 1; 4; 9 ] (List.sort Int.compare first);
  Lwt.try_bind
    (fun () -> Lwt_stream.get stream)
    (fun _ -> Alcotest.fail "no failure")
    (function Exit -> Lwt.return_unit | exn -> Lwt.reraise exn)

(* Who gives up waiting for an element finds it there the next time. *)
let cancelled_get () =
  let gate, open_ = Drover.Promise.create () in
  let f x = if x = 0 then Drover.await gate else x in
  let stream = Stream.map ~look_ahead:2 f (Lwt_stream.of_list (upto 4)) in
  let get = Lwt_stream.get stream in
  let* () = Lwt.pause () in
  Lwt.cancel get;
  Drover.Promise.fulfil open_ 0;
  let+ all = Lwt_stream.to_list stream in
  check_list "all" (upto 4) all

let misuse () =
  let empty () = Lwt_stream.of_list [] in
  Failing.misuse "Drover_lwt.Stream.map: " (fun () -> Stream.map ~look_ahead:0 Fun.id (empty ()));
  Failing.misuse "Drover_lwt.Stream.map_unordered: " (fun () ->
      Stream.map_unordered ~look_ahead:0 Fun.id (empty ()))

let map ~look_ahead f source = Stream.map ~look_ahead f source
let map_unordered ~look_ahead f source = Stream.map_unordered ~look_ahead f source

let () =
  Alcotest.run "unit lwt streams"
    [
      ( "map",
        [
          case "in order" in_order;
          case "bounded" (bounded map);
          case "a failing element" failing_element;
          case "a failing source" (failing_source map);
          case "a cancelled get" cancelled_get;
          Watchdog.case "misuse" misuse;
        ] );
      ( "map unordered",
        [
          case "any order" unordered;
          case "ready first" ready_first;
          case "bounded" (bounded map_unordered);
          case "a failing source" (failing_source map_unordered);
        ] );
    ]
