(* A fault at each point of each operation, on one domain: at its first allocation or safepoint, at
   its second, and so on, until the operation ends without; two, one right behind the other; or with
   room for no call on the stack, for one, and so on. Afterwards the operation's object is as good as
   before. *)

open Fault

let stack_limit = 16 * 1024 (* words *)

(* The n-th point of a run on the main thread. *)

let left = ref 0
let times = ref 1 (* so many one after the other *)
let has_happened = ref false
let act = ref ignore

(* Of the latest fault; with DROVER_DEBUG it is printed, for the watchdog cannot. *)
let place_of_fault = ref (Printexc.get_callstack 0)
let is_debug = Sys.getenv_opt "DROVER_DEBUG" = Some "1"

let note_place () =
  place_of_fault := Printexc.get_callstack 12;
  if is_debug then
    Printf.eprintf "a fault at\n%s%!" (Printexc.raw_backtrace_to_string !place_of_fault)

let[@inline never] opportunity () =
  decr left;
  if !left <= 0 && !left > - !times then begin
    has_happened := true;
    note_place ();
    !act ()
  end

let at_allocation _ =
  if Atomic.get armed && Safepoints.is_main_thread () then opportunity ();
  None

let install () =
  let tracker =
    { Gc.Memprof.null_tracker with alloc_minor = at_allocation; alloc_major = at_allocation }
  in
  ignore (Gc.Memprof.start ~sampling_rate:1. ~callstack_size:0 tracker : Gc.Memprof.t);
  Gc.set { (Gc.get ()) with stack_limit }

let over outcome =
  disarm ();
  outcome

let armed_by arm f =
  match
    arm ();
    f ()
  with
  | () -> over (Ok ())
  | exception e -> over (Error e)

let at_point action ~in_a_row n f =
  left := n;
  times := in_a_row;
  has_happened := false;
  act := action;
  armed_by (fun () -> Atomic.set armed true) f

(* Kinds of faults: [inject n f] is [f ()] with a fault at point [n]. *)

type kind = { kind : string; inject : int -> (unit -> unit) -> (unit, exn) result }

let allocation ?(in_a_row = 1) kind action = { kind; inject = at_point action ~in_a_row }

(* At the n-th safepoint, also where nothing is allocated. *)
let safepoint n f =
  let arm () = Safepoints.arm (fun () -> raise Fault) ~point:n ~times:1 ~gap:max_int in
  let outcome = armed_by arm f in
  Safepoints.disarm ();
  has_happened := !Safepoints.has_happened;
  outcome

let overflow n f =
  has_happened := false;
  match Test_support.Room.within n f with
  | () -> Ok ()
  | exception e ->
      has_happened := true;
      Error e

(* Another thread of the domain uses the library meanwhile. *)
let others_run = Atomic.make false

let switch () =
  Atomic.set others_run true;
  Thread.yield ()

let call_library () =
  try
    ignore (Drover.both ignore ignore : unit * unit);
    let p, r = Drover.Promise.create () in
    ignore (Drover.async (fun () -> Drover.await p) : unit Drover.Promise.t);
    Drover.Promise.fulfil r ();
    Drover.parallel_for ~start:1 ~finish:3 ignore
  with Invalid_argument _ | Drover.Cancelled _ -> ()

let kinds =
  [
    allocation "raises" (fun () -> raise Fault);
    allocation "raises twice" ~in_a_row:2 (fun () -> raise Fault);
    allocation "calls" call_library;
    allocation "switches" switch;
    { kind = "raises at a safepoint"; inject = safepoint };
    { kind = "overflow in a call"; inject = overflow };
  ]

(* Where an operation is called. *)

let beside partner act =
  match partner with
  | None -> act ()
  | Some partner ->
      Drover.Scope.run (fun s ->
          let there, tell = Drover.Promise.create () in
          Drover.Scope.daemon s (fun () -> partner (Drover.Promise.fulfil tell));
          Drover.await there;
          act ())

let raise_error = function Ok () -> () | Error e -> raise e

type place = { place : string; call : kind -> int -> Operations.scene -> unit }

(* A task that has borne a fault goes on as if nothing had happened: its worker, which has nothing else
   to do meanwhile, comes upon whatever the operation has left behind. *)
let go_on () =
  Drover.sleep 1e-5;
  Drover.Scope.check ()

let in_task kind n (scene : Operations.scene) =
  Drover.run ~domains:1 (fun () ->
      let outcome = kind.inject n (fun () -> beside scene.partner scene.act) in
      (try go_on () with e -> failwith ("the task cannot go on: " ^ Printexc.to_string e));
      raise_error outcome)

let around_run kind n (scene : Operations.scene) =
  raise_error
    (kind.inject n (fun () -> Drover.run ~domains:1 (fun () -> beside scene.partner scene.act)))

let places =
  [ { place = "in a task"; call = in_task }; { place = "around run"; call = around_run } ]

let rec is_known = function
  | Fault | Stack_overflow -> true
  | Fun.Finally_raised e | Drover.Cancelled e -> is_known e
  | _ -> false

(* A point that comes later than all: something goes on for ever. *)
let most_points = 20_000

(* Every point, or a sample: the first; those where there is just the room on the stack that the library
   reserves, of 256 words; and some that are others for each operation. *)
let is_full = Sys.getenv_opt "DROVER_STRESS" = Some "full"
let stride = if is_full then 1 else 23
let reserved = 256

let after n kind (op : Operations.t) =
  let close = if kind.kind = "overflow in a call" then reserved else max_int in
  let next = n + if n = 16 then 1 + (Hashtbl.hash op.name mod stride) else stride in
  if n < 16 || (n >= close && n < close + 40) then n + 1
  else if n < close then Int.min next close
  else next

(* A loop has a safepoint at each of its iterations. *)
let is_enough kind n = kind.kind = "raises at a safepoint" && n > 1000

let try_all (op : Operations.t) kind place () =
  let rec go n =
    let guard phase f =
      Test_support.Watchdog.guard ~seconds:60. (Printf.sprintf "%s at point %d" phase n) f
    in
    let fail e =
      Alcotest.failf "at point %d: %s, after a fault at\n%s" n (Printexc.to_string e)
        (Printexc.raw_backtrace_to_string !place_of_fault)
    in
    let scene = op.set () in
    (match guard "the operation" (fun () -> place.call kind n scene) with
    | () -> ()
    | exception e when is_known e -> ()
    | exception e -> fail e);
    let happened = !has_happened in
    (match guard "afterwards" (fun () -> Drover.run ~domains:1 scene.check) with
    | () -> ()
    | exception e -> fail e);
    if happened && not (is_enough kind n) then
      if n > most_points then Alcotest.fail "no end" else go (after n kind op)
  in
  go (if kind.kind = "overflow in a call" then 0 else 1)

(* With each amount of remaining stack, a thread runs a task in a pool whose place for a caller another
   thread has: whatever the call raises, the task is over then. *)
let callers_with_full_stacks () =
  let pool = Drover.Pool.create ~domains:2 () in
  let over, tell = Drover.Promise.create () in
  let other = Thread.create (fun () -> Drover.Pool.run pool (fun () -> Drover.await over)) () in
  let inside = Atomic.make 0 in
  let task () =
    Atomic.incr inside;
    Fun.protect (fun () -> Drover.sleep 1e-3) ~finally:(fun () -> Atomic.decr inside)
  in
  let finally () =
    Drover.Promise.fulfil tell ();
    Thread.join other;
    Drover.Pool.close pool
  in
  Fun.protect ~finally (fun () ->
      for n = 0 to 3 * reserved do
        (match Test_support.Room.within n (fun () -> Drover.Pool.run pool task) with
        | () -> ()
        | exception Stack_overflow -> ());
        if Atomic.get inside > 0 then Alcotest.failf "with room for %d frames, the task goes on" n
      done)

let companion () =
  ignore (Thread.sigmask SIG_BLOCK [ Sys.sigalrm ] : int list);
  let mutex = Drover.Mutex.create () in
  while true do
    if Atomic.get others_run && Atomic.get armed then begin
      Drover.Mutex.protect mutex ignore;
      ignore (Drover.both ignore ignore : unit * unit);
      Drover.await (Drover.async ignore);
      Thread.yield ()
    end
    else Thread.delay 1e-3
  done

(* What only calls or switches has little to find outside of the operation. *)
let is_harmful kind = List.mem kind.kind [ "raises"; "overflow in a call" ]
let name_of (op : Operations.t) kind = Printf.sprintf "%s: %s" kind.kind op.name

let suite kind =
  let is_ready op = not (List.mem_assoc (name_of op kind) Not_yet.operations) in
  let case op place =
    Alcotest.test_case (op.Operations.name ^ ", " ^ place.place) `Quick (try_all op kind place)
  in
  let places = if is_full || is_harmful kind then places else [ List.hd places ] in
  ( kind.kind,
    List.concat_map (fun op -> List.map (case op) places) (List.filter is_ready Operations.all) )

let () =
  Drover.Promise.on_unawaited_failure (fun _ _ -> ());
  (* Workers block what has a handler when they begin. *)
  Safepoints.install ();
  Drover.Pool.run (Drover.Pool.default ()) ignore;
  install ();
  ignore (Thread.create companion () : Thread.t);
  let is_ready kind = not (List.mem_assoc kind.kind Not_yet.kinds) in
  let callers = Test_support.Watchdog.case "callers with full stacks" callers_with_full_stacks in
  Alcotest.run "fault points"
    (("waits to the end", [ callers ]) :: List.map suite (List.filter is_ready kinds))
