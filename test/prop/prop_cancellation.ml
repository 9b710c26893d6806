(* Tasks are cancelled at any moment while they use an object, beside threads that are not: no lock,
   no permit, no signal and no message is lost. *)

open Test_support
open Drover
open Stdlib
module Mutex = Drover.Mutex
module Condition = Drover.Condition
module Semaphore = Drover.Semaphore

exception Stop

(* A task that can be cancelled while it does [f]. *)
type user = { cancel : unit -> unit; join : unit -> unit }

let start pool f =
  let scope, tell = Promise.create () in
  let body s =
    Promise.fulfil tell s;
    f ()
  in
  let task = Pool.async pool (fun () -> try Scope.run body with Stop -> ()) in
  { cancel = (fun () -> Scope.cancel (await scope) Stop); join = (fun () -> await task) }

(* When each of the users is cancelled; the others never are. *)
type program = { domains : int; cancelled : int list; others : int; threads : int }

let print p =
  let times = String.concat ", " (List.map string_of_int p.cancelled) in
  Printf.sprintf "domains = %d, cancelled at %s, %d others, %d threads" p.domains times p.others
    p.threads

let gen =
  let open QCheck2.Gen in
  map
    (fun (domains, cancelled, others, threads) -> { domains; cancelled; others; threads })
    (tup4
       (oneof_list [ 1; 2; 4 ])
       (list_size (int_range 0 8) (int_range 0 20))
       (int_range 0 4) (int_range 0 2))

let pools = List.map (fun domains -> (domains, Pool.create ~domains ())) [ 1; 2; 4 ]

let pause () =
  for _ = 1 to 300 do
    Domain.cpu_relax ()
  done;
  Thread.yield ()

(* Calls [f i] for each user [i], cancels, calls [last], and waits for all of them. *)
let crowd p ?(last = ignore) f =
  let pool = List.assoc p.domains pools in
  let victims = List.mapi (fun i time -> (time, start pool (fun () -> f i))) p.cancelled in
  let others = List.init p.others (fun i -> (start pool (fun () -> f i)).join) in
  let threads = List.init p.threads (fun i -> Stranger.thread (fun () -> f i)) in
  for time = 0 to 20 do
    List.iter (fun (at, user) -> if at = time then user.cancel ()) victims;
    pause ()
  done;
  last ();
  List.iter (fun join -> join ()) (List.map (fun (_, user) -> user.join) victims @ others @ threads)

let let_others_run () =
  match Pool.current () with Some _ -> await (async ignore) | None -> Thread.yield ()

let repeat f _ =
  for _ = 1 to 20 do
    f ()
  done

(* How many are inside. *)
let within most inside =
  let n = 1 + Atomic.fetch_and_add inside 1 in
  Fun.protect
    (fun () ->
      let_others_run ();
      if n > most then failwith "too many")
    ~finally:(fun () -> Atomic.decr inside)

let mutex p =
  let m = Mutex.create () and inside = Atomic.make 0 in
  crowd p (repeat (fun () -> Mutex.protect m (fun () -> within 1 inside)));
  not (Mutex.is_locked m)

let semaphore p =
  let s = Semaphore.create 2 and inside = Atomic.make 0 in
  crowd p (repeat (fun () -> Semaphore.protect s (fun () -> within 2 inside)));
  Semaphore.free s = 2

(* Users wait for tokens, of which there are enough for all: so none that is not cancelled waits for
   ever, unless a signal is lost. *)
let condition p =
  let m = Mutex.create () and c = Condition.create () and tokens = ref 0 and taken = ref 0 in
  let take _ =
    Mutex.protect m (fun () ->
        while !tokens = 0 do
          Condition.wait c m
        done;
        decr tokens;
        incr taken)
  and give () =
    Mutex.protect m (fun () ->
        incr tokens;
        Condition.signal c)
  in
  let users = List.length p.cancelled + p.others + p.threads in
  crowd p take ~last:(fun () -> List.iter give (List.init users ignore));
  !taken + !tokens = users && not (Mutex.is_locked m)

let latch p =
  let l = Latch.create 2 and passed = Atomic.make 0 in
  let wait _ =
    Latch.wait l;
    Atomic.incr passed
  and count_down () =
    Latch.count_down l;
    Latch.count_down l
  in
  crowd p wait ~last:count_down;
  Atomic.get passed >= p.others + p.threads

(* All that come are cancelled; then as many come as the barrier wants. *)
let barrier p =
  let p = { p with others = 0; threads = 0 } in
  let b = Barrier.create (List.length p.cancelled + 1) in
  crowd p (fun _ -> Barrier.wait b);
  crowd
    { p with cancelled = []; others = List.length p.cancelled; threads = 1 }
    (fun _ -> Barrier.wait b);
  true

(* What was sent, without an exception, is what was received. *)

let rec note log v =
  let before = Atomic.get log in
  if not (Atomic.compare_and_set log before (v :: before)) then note log v

let all log = List.sort Int.compare (Atomic.get log)

let messages channel ~send ~receive p =
  let a = channel () and b = channel () in
  let sent = Atomic.make [] and received = Atomic.make [] and next = Atomic.make 0 in
  let send_one () =
    let v = Atomic.fetch_and_add next 1 in
    send a b v;
    note sent v
  and receive_one () = note received (receive a b) in
  let use i =
    try repeat (if i land 1 = 0 then send_one else receive_one) i with Chan.Closed -> ()
  in
  let close () =
    Chan.close a;
    Chan.close b
  in
  crowd p use ~last:close;
  List.iter (Chan.iter (note received)) [ a; b ];
  all sent = all received

let alone channel =
  messages channel ~send:(fun a _ v -> Chan.send a v) ~receive:(fun a _ -> Chan.recv a)

let selecting channel =
  let send a b v = Chan.select [ Chan.sending a v ignore; Chan.sending b v ignore ]
  and receive a b = Chan.select [ Chan.receiving a Fun.id; Chan.receiving b Fun.id ] in
  messages channel ~send ~receive

let law name holds = Watchdog.property ~count:100 ~name:("cancelled at a " ^ name) ~print gen holds

let channels =
  let kinds =
    [
      ("rendezvous", Chan.rendezvous);
      ("channel bounded to 1", fun () -> Chan.bounded 1);
      ("channel bounded to 3", fun () -> Chan.bounded 3);
      ("channel without a bound", Chan.unbounded);
    ]
  in
  let laws (name, channel) =
    [ law name (alone channel); law (name ^ ", with select") (selecting channel) ]
  in
  List.concat_map laws kinds

let () =
  Properties.run
    ([
       law "mutex" mutex;
       law "semaphore" semaphore;
       law "condition variable" condition;
       law "latch" latch;
       law "barrier" barrier;
     ]
    @ channels)
