(* A storm: random trees of scopes, forks, loops and races, in which tasks fail, are cancelled, run
   out of time, wait for each other, and go to another pool.

   Whatever happens, a task that starts ends once, before what it was started in does; and one that
   does not start is skipped for good. *)

open Drover
open Stdlib

exception Fault of int

type t = {
  most : int; (* tasks *)
  created : int Atomic.t;
  states : int Atomic.t array;
      (* of each task: 0, then 1 when it has started, 2 when it has ended *)
  complaints : string list Atomic.t;
  other : Pool.t;
}

let create most other =
  let states = Array.init most (fun _ -> Atomic.make 0) in
  { most; created = Atomic.make 0; states; complaints = Atomic.make []; other }

let has_room t = Atomic.get t.created < t.most

(* Not raised: it could be lost among the faults. *)
let rec complain t text =
  let before = Atomic.get t.complaints in
  if not (Atomic.compare_and_set t.complaints before (text :: before)) then complain t text

let step t id before after =
  if not (Atomic.compare_and_set t.states.(id) before after) then
    complain t (Printf.sprintf "task %d: no step from %d to %d" id before after)

(* Those of a call: how many of them are inside. *)
let task t inside id f () =
  step t id 0 1;
  Atomic.incr inside;
  let finally () =
    Atomic.decr inside;
    step t id 1 2
  in
  Fun.protect f ~finally

(* What [call] is given are tasks to start; they have ended when it returns. *)
let watched t fs call =
  let n = List.length fs in
  let first = Atomic.fetch_and_add t.created n in
  if first + n <= t.most then begin
    let inside = Atomic.make 0 in
    let finally () = if Atomic.get inside <> 0 then complain t "a call has left a task" in
    Fun.protect ~finally (fun () -> call (List.mapi (fun i f -> task t inside (first + i) f) fs))
  end

(* Faults are for those around, up to the next that bears them. *)
let bear f = try f () with Fault _ | Scope.Timeout -> ()
let never () = await (fst (Promise.create ()))
let moment random = Random.State.float random 0.0005

let leaf random () =
  match Random.State.int random 100 with
  | 0 | 1 | 2 -> raise (Fault (Random.State.int random 10))
  | 3 -> Scope.with_timeout (moment random) never
  | 4 -> sleep (moment random)
  | 5 -> blocking ignore
  | n when n < 20 -> await (async ignore)
  | n when n < 30 -> Scope.check ()
  | _ -> ignore (Sys.opaque_identity (ref 0) : int ref)

(* Two tasks that meet at a channel: when one fails before, the other would wait for ever. *)
let meeting random =
  let chan = Chan.rendezvous () in
  let fails = Random.State.int random 10 in
  let side n f () = if fails = n then raise (Fault n) else f () in
  [ side 0 (fun () -> Chan.send chan 1); side 1 (fun () -> ignore (Chan.recv chan : int)) ]

(* Calls that start tasks and wait for them. *)

let in_scope random fs =
  Scope.run (fun s ->
      List.iter
        (fun f ->
          if Random.State.bool random then Scope.spawn s f
          else ignore (Scope.async s f : unit Promise.t))
        fs;
      if Random.State.int random 4 = 0 then Scope.daemon s never;
      match Random.State.int random 8 with
      | 0 -> Scope.cancel s (Fault (Random.State.int random 10))
      | 1 -> raise (Fault (Random.State.int random 10))
      | _ -> ())

let in_both fs =
  match fs with [ f; g ] -> ignore (both f g : unit * unit) | fs -> ignore (all fs : unit list)

let in_loop fs =
  let fs = Array.of_list fs in
  parallel_for ~start:0 ~finish:(Array.length fs - 1) (fun i -> fs.(i) ())

let in_time random fs = Scope.with_timeout (moment random) (fun () -> in_scope random fs)
let in_other_pool t fs = Pool.run t.other (fun () -> in_both fs)
let in_new_pool fs = Drover.run ~domains:2 (fun () -> in_both fs)
let protected fs = Scope.protect (fun () -> in_both fs)

let call t random fs =
  match Random.State.int random 400 with
  | 0 -> in_new_pool fs
  | n when n < 120 -> in_scope random fs
  | n when n < 200 -> in_both fs
  | n when n < 260 -> in_loop fs
  | n when n < 300 -> Scope.first fs
  | n when n < 340 -> in_time random fs
  | n when n < 380 -> in_other_pool t fs
  | _ -> protected fs

(* Random numbers are split before they go to other tasks. *)
let rec tree t depth random () =
  if depth = 0 || Random.State.int random 4 = 0 then leaf random ()
  else
    let fs =
      if Random.State.int random 5 = 0 then meeting random
      else
        List.init
          (1 + Random.State.int random 5)
          (fun _ -> tree t (depth - 1) (Random.State.split random))
    in
    let go () = watched t fs (call t random) in
    if Random.State.int random 4 = 0 then go () else bear go

(* Trees from several tasks at once, until there were enough tasks. *)
let rec trees t random () =
  if has_room t then begin
    bear (tree t 6 (Random.State.split random));
    trees t random ()
  end

type outcome = { ended : int; skipped : int; complaints : string list }

let outcome t =
  let count n = Array.fold_left (fun k s -> if Atomic.get s = n then k + 1 else k) 0 t.states in
  let running = count 1 in
  if running > 0 then complain t (Printf.sprintf "%d tasks have not ended" running);
  { ended = count 2; skipped = count 0; complaints = Atomic.get t.complaints }

(* A storm of [n] tasks. Its pools close, so no task is left that waits. *)
let run ~domains ~seed n =
  let other = Pool.create ~domains:2 () in
  let t = create n other in
  let random = Random.State.make [| seed |] in
  let strands = List.init 4 (fun _ -> trees t (Random.State.split random)) in
  ignore (Drover.run ~domains (fun () -> all strands) : unit list);
  Pool.close other;
  outcome t
