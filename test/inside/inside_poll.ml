(* What the system tells of descriptors, and how often the workers ask it. *)

open Test_support

let state =
  Alcotest.testable
    (fun ppf (s : Poll.state) ->
      Format.pp_print_string ppf
        (match s with Waiting -> "waiting" | Ready -> "ready" | Closed -> "closed"))
    ( = )

let check what expected (request : Poll.request) = Alcotest.check state what expected request.state
let reading = Poll.request ~for_writing:false
let writing = Poll.request ~for_writing:true
let look requests = Poll.wait (Array.of_list requests) 0.
let write into = ignore (Unix.write_substring into "x" 0 1 : int)

let with_pipes n f =
  let pipes = List.init n (fun _ -> Unix.pipe ~cloexec:true ()) in
  let close (out_of, into) = List.iter Unix.close [ out_of; into ] in
  Fun.protect (fun () -> f pipes) ~finally:(fun () -> List.iter close pipes)

let with_pipe f = with_pipes 1 (fun pipes -> f (List.hd pipes))

(* States *)

let ready_or_not () =
  with_pipe (fun (out_of, into) ->
      let read = reading out_of and write_ = writing into in
      look [ read; write_ ];
      check "empty" Waiting read;
      check "has room" Ready write_;
      write into;
      look [ read ];
      check "has a byte" Ready read)

(* One descriptor, which is ready for one of two. *)
let either_way () =
  let here, there = Unix.socketpair ~cloexec:true PF_UNIX SOCK_STREAM 0 in
  let read = reading here and write_ = writing here and read_too = reading here in
  look [ read; write_; read_too ];
  check "to read" Waiting read;
  check "to write" Ready write_;
  write there;
  look [ read; writing here; read_too ];
  check "to read" Ready read;
  check "to read, too" Ready read_too;
  List.iter Unix.close [ here; there ]

let ended () =
  let out_of, into = Unix.pipe ~cloexec:true () in
  Unix.close into;
  let read = reading out_of in
  look [ read ];
  check "the end of input" Ready read;
  Unix.close out_of;
  let out_of, into = Unix.pipe ~cloexec:true () in
  Unix.close out_of;
  let write_ = writing into in
  look [ write_ ];
  check "nobody reads" Ready write_;
  Unix.close into

let closed () =
  let out_of, into = Unix.pipe ~cloexec:true () in
  Unix.close out_of;
  let read = reading out_of and write_ = writing into in
  look [ read; write_ ];
  check "closed" Closed read;
  Unix.close into

let many () =
  with_pipes 300 (fun pipes ->
      List.iteri (fun i (_, into) -> if i mod 7 = 0 then write into) pipes;
      let requests = List.map (fun (out_of, _) -> reading out_of) pipes in
      let check_all () =
        let expect i = check (string_of_int i) (if i mod 7 = 0 then Ready else Waiting) in
        List.iteri expect requests
      in
      look requests;
      check_all ();
      Poll.wait (Array.of_list requests) 3600.;
      check_all ())

(* More requests for one descriptor than the process may have descriptors. *)
let more_than_may_be_open () =
  with_pipe (fun (out_of, into) ->
      let requests = List.init 100_000 (fun _ -> reading out_of) in
      look requests;
      check "the last" Waiting (List.nth requests 99_999);
      write into;
      look requests;
      List.iteri (fun i -> check (string_of_int i) Ready) requests)

(* Time *)

(* A wait is not too short, which callers would make up for by waits of no time. *)
let lasts () =
  let until = System.now () +. 0.0123 in
  let rec wait n =
    let left = until -. System.now () in
    if left > 0. then begin
      Poll.wait [||] left;
      wait (n + 1)
    end
    else n
  in
  let waits = wait 0 in
  Alcotest.(check bool) (Printf.sprintf "%d waits" waits) true (waits <= 3)

(* Others of its domain run. *)
let lets_others_run () =
  with_pipe (fun (out_of, into) ->
      let read = reading out_of in
      let end_ = Stranger.thread (fun () -> write into) in
      Poll.wait [| read |] 3600.;
      check "written meanwhile" Ready read;
      end_ ())

let ends_on_signal () =
  let is_told = ref false in
  let before = Sys.signal Sys.sigalrm (Signal_handle (fun _ -> is_told := true)) in
  let set it_interval it_value =
    ignore (Unix.setitimer ITIMER_REAL { it_interval; it_value } : Unix.interval_timer_status)
  in
  set 0.01 0.01;
  while not !is_told do
    Poll.wait [||] 3600.
  done;
  set 0. 0.;
  Sys.set_signal Sys.sigalrm before

(* The workers' looks *)

(* A descriptor that is ready is watched again at once: so each look calls, unless the poller's thread
   comes before it. *)
let take_turns () =
  with_pipe (fun (out_of, into) ->
      write into;
      let wanted = 20 and looks = Atomic.make 0 in
      let is_worker = Domain.DLS.new_key (fun () -> false) in
      let is_over () = Atomic.get looks >= wanted in
      let rec watch () = ignore (Poller.watch (reading out_of) called : Poller.watch)
      and called () =
        if Domain.DLS.get is_worker then Atomic.incr looks;
        if not (is_over ()) then watch ()
      in
      let work () =
        Domain.DLS.set is_worker true;
        Spin.until (fun () ->
            Poller.look ();
            is_over ())
      in
      watch ();
      let start = System.now () in
      let ends = List.init 2 (fun _ -> Stranger.domain work) in
      List.iter (fun end_ -> end_ ()) ends;
      let milliseconds = (System.now () -. start) *. 1e3 in
      Alcotest.(check bool)
        (Printf.sprintf "%d looks in %.1f ms" wanted milliseconds)
        true
        (milliseconds >= float (wanted - 1)))

let () =
  Alcotest.run "inside poll"
    [
      ( "states",
        [
          Watchdog.case "ready or not" ready_or_not;
          Watchdog.case "either way" either_way;
          Watchdog.case "ended" ended;
          Watchdog.case "closed" closed;
          Watchdog.case "many" many;
          Watchdog.case "more than may be open" more_than_may_be_open;
        ] );
      ( "time",
        [
          Watchdog.case "lasts" lasts;
          Watchdog.case "lets others run" lets_others_run;
          Watchdog.case "ends on a signal" ends_on_signal;
        ] );
      ("workers", [ Watchdog.case "take turns" take_turns ]);
    ]
