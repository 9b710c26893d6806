(* Random programs do what their sequential oracle says, on any number of domains: the same value,
   or one of the failures; each leaf runs at most once, those that nothing may skip run, and a part
   that is over has nothing open. *)

open Test_support
open Program

exception Failed of int

type record = {
  started : int Atomic.t array;
  ended : int Atomic.t array;
  left_open : bool Atomic.t;
  tasks : int list Drover.Promise.t list Atomic.t; (* not all of them are awaited *)
}

let spin n =
  for i = 1 to n do
    ignore (Sys.opaque_identity i)
  done

(* [scopes] count the open leaves of the parts around. *)
let leaf record scopes id work fails =
  List.iter Atomic.incr scopes;
  Atomic.incr record.started.(id);
  spin work;
  Atomic.incr record.ended.(id);
  List.iter Atomic.decr scopes;
  if fails then raise (Failed id) else [ id ]

(* Runs a part that waits for all that it starts. *)
let scope record scopes part =
  let open_leaves = Atomic.make 0 in
  Fun.protect
    (fun () -> part (open_leaves :: scopes))
    ~finally:(fun () -> if Atomic.get open_leaves > 0 then Atomic.set record.left_open true)

let rec note record task =
  let before = Atomic.get record.tasks in
  if not (Atomic.compare_and_set record.tasks before (task :: before)) then note record task

let rec eval record scopes = function
  | Leaf { id; work; fails } -> leaf record scopes id work fails
  | Both (a, b) ->
      scope record scopes (fun scopes ->
          let a, b =
            Drover.both (fun () -> eval record scopes a) (fun () -> eval record scopes b)
          in
          a @ b)
  | All ts ->
      scope record scopes (fun scopes ->
          List.concat (Drover.all (List.map (fun t () -> eval record scopes t) ts)))
  | For (grain, ts) ->
      scope record scopes (fun scopes ->
          let ts = Array.of_list ts in
          Drover.parallel_for ?grain ~start:0
            ~finish:(Array.length ts - 1)
            (fun i -> ignore (eval record scopes ts.(i) : int list));
          [])
  | Reduce (grain, ts) ->
      scope record scopes (fun scopes ->
          let ts = Array.of_list ts in
          Drover.parallel_reduce ?grain ~start:0
            ~finish:(Array.length ts - 1)
            ~init:[ Oracle.start ] ~combine:( @ )
            (fun i -> eval record scopes ts.(i)))
  | Async (a, b) ->
      (* If [b] fails, the task outlives this part, though not the pool. *)
      let task = Drover.async (fun () -> eval record [] a) in
      note record task;
      let b = eval record scopes b in
      Drover.await task @ b
  | Later t ->
      Drover.await (Drover.async ignore);
      eval record scopes t
  | Catch t -> ( try eval record scopes t with Failed _ -> [ Oracle.caught ])
  | Run (domains, t) ->
      scope record scopes (fun scopes -> Drover.run ~domains (fun () -> eval record scopes t))
  | Thread t -> scope record scopes (fun scopes -> Place.in_thread (fun () -> eval record scopes t))

let agrees expected found =
  match (expected, found) with
  | Oracle.Value v, Ok found -> v = found
  | Oracle.Fails ids, Error id -> List.mem id ids
  | Oracle.Value _, Error _ | Oracle.Fails _, Ok _ -> false

(* An async in a systhread runs in the default pool, which goes on. *)
let rec until_all_over record =
  if not (List.for_all Drover.Promise.is_settled (Atomic.get record.tasks)) then begin
    Thread.delay 0.001;
    until_all_over record
  end

let law domains program =
  let program, leaves = number program in
  let counters () = Array.init leaves (fun _ -> Atomic.make 0) in
  let record =
    {
      started = counters ();
      ended = counters ();
      left_open = Atomic.make false;
      tasks = Atomic.make [];
    }
  in
  let found =
    match Drover.run ~domains (fun () -> eval record [] program) with
    | v -> Ok v
    | exception Failed id -> Error id
  in
  until_all_over record;
  let fail format = QCheck2.Test.fail_reportf format in
  if not (agrees (Oracle.outcome program) found) then fail "another result";
  if Atomic.get record.left_open then fail "a part was over while a leaf of it ran";
  Array.iteri
    (fun id started ->
      if Atomic.get started > 1 then fail "leaf %d ran %d times" id (Atomic.get started);
      if Atomic.get started <> Atomic.get record.ended.(id) then fail "leaf %d did not end" id)
    record.started;
  List.iter
    (fun id -> if Atomic.get record.started.(id) = 0 then fail "leaf %d was lost" id)
    (Oracle.certain program);
  true

let () =
  Drover.Promise.on_unawaited_failure (fun _ _ -> ());
  Properties.run
    (List.map
       (fun domains ->
         Watchdog.property ~count:300
           ~name:(Printf.sprintf "random programs, %d domains" domains)
           ~print:show gen (law domains))
       [ 1; 2; 4; 8 ])
