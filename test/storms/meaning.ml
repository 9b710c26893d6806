(* What a program does, as a careful user would write it: locks are held within [protect], what
   must be settled is settled in any case, and a cancellation passes. *)

open Program

exception Failed of int

type env = {
  world : World.t;
  value : int; (* of the local variable, here *)
  wrap : 'a. (unit -> 'a) -> 'a;
  is_known : exn -> bool; (* what the faults raise *)
}

(* The library's own reasons to cancel, such as that another was first. *)
let is_reason e = String.starts_with ~prefix:"Drover_" (Printexc.exn_slot_name e)

let rec is_known env = function
  | Failed _ | Drover.Scope.Timeout | Drover.Chan.Closed -> true
  | Drover.Cancelled e -> is_reason e || is_known env e
  | Fun.Finally_raised e -> is_known env e
  | e -> env.is_known e

let complain env format = Printf.ksprintf (World.complain env.world) format

(* Tasks of a call: how many have started, and how many are inside. *)

type group = { ran : int Atomic.t; inside : int Atomic.t }

let[@poll error] enter (w : World.t) g =
  ignore (Atomic.fetch_and_add w.started 1 : int);
  ignore (Atomic.fetch_and_add g.ran 1 : int);
  ignore (Atomic.fetch_and_add g.inside 1 : int)

let[@poll error] leave (w : World.t) g =
  ignore (Atomic.fetch_and_add g.inside (-1) : int);
  ignore (Atomic.fetch_and_add w.ended 1 : int)

let task env g f () =
  match
    enter env.world g;
    f ()
  with
  | () -> leave env.world g
  | exception e ->
      leave env.world g;
      if not (is_known env e) then complain env "a task raised %s" (Printexc.to_string e);
      raise e

(* What a call promises about its tasks. *)
type promise = { all_run : bool; (* when it returns *) none_runs : bool (* when it is over *) }

let nothing = { all_run = false; none_runs = false }
let none_runs = { nothing with none_runs = true }
let all_run = { nothing with all_run = true }
let both = { all_run = true; none_runs = true }

(* [call tasks], where [what] promises so much. *)
let group env what promise fs call =
  let g = { ran = Atomic.make 0; inside = Atomic.make 0 } in
  let over ending =
    let n = Atomic.get g.inside in
    if promise.none_runs && n > 0 then complain env "%s %s while %d of its tasks run" what ending n
  in
  match call (List.map (task env g) fs) with
  | () ->
      over "has returned";
      let ran = Atomic.get g.ran and n = List.length fs in
      if ran > n || (promise.all_run && ran < n) then
        complain env "%s has returned, and %d of %d tasks have run" what ran n
  | exception e ->
      over ("has raised " ^ Printexc.to_string e);
      raise e

(* Settles a promise whatever happens. *)
let rec settle p r outcome =
  match
    match outcome with Ok v -> Drover.Promise.fulfil r v | Error e -> Drover.Promise.fail r e
  with
  | () -> ()
  | exception _ -> if not (Drover.Promise.is_settled p) then settle p r outcome

let outcome f = match f () with v -> Ok v | exception e -> Error e

(* No fault happens from before the thread is made until its code begins. The thread ends before
   this does. *)
let in_thread f =
  let p, r = Drover.Promise.create () in
  let body () =
    match
      Fault.unshield ();
      outcome f
    with
    | o -> settle p r o
    | exception e -> settle p r (Error e)
  in
  Fault.shield ();
  (match Thread.create body () with
  | (_ : Thread.t) -> ()
  | exception e ->
      Fault.unshield ();
      raise e);
  let rec wait () =
    match Drover.Scope.protect (fun () -> Drover.await p) with
    | v -> v
    | exception e ->
        if Drover.Promise.is_settled p then raise e
        else begin
          Thread.delay 1e-3;
          wait ()
        end
  in
  wait ()

let never () = Drover.await (fst (Drover.Promise.create ()))

(* For what may wait for ever. *)
let briefly f = Drover.Scope.with_timeout 1e-3 f

let work n =
  for i = 1 to n do
    ignore (Sys.opaque_identity (Array.make (i land 7) i) : int array)
  done

let each fs = Array.of_list fs
let last fs = Array.length fs - 1

let sum env fs ~grain =
  let fs = each fs in
  let n =
    Drover.parallel_reduce ~grain ~start:0 ~finish:(last fs) ~init:0 ~combine:( + ) (fun i ->
        fs.(i) ();
        i)
  in
  let expected = last fs * (last fs + 1) / 2 in
  if n <> expected then complain env "a reduction yields %d instead of %d" n expected

let find fs =
  let fs = each fs in
  ignore
    (Drover.parallel_find_any ~start:0 ~finish:(last fs) (fun i ->
         fs.(i) ();
         if i = last fs / 2 then Some i else None)
      : int option)

(* The last element is the scope's body. *)
let scope daemon ending fs =
  Drover.Scope.run (fun s ->
      let body, spawned = (List.hd fs, List.tl fs) in
      List.iteri
        (fun i f ->
          if i land 1 = 0 then Drover.Scope.spawn s f
          else ignore (Drover.Scope.async s f : unit Drover.Promise.t))
        spawned;
      Option.iter (Drover.Scope.daemon s) daemon;
      body ();
      match ending with
      | Returns -> ()
      | Cancels n -> Drover.Scope.cancel s (Failed n)
      | Raises n -> raise (Failed n))

let latch fs =
  Drover.Scope.run (fun s ->
      let latch = Drover.Latch.create (List.length fs) in
      let part f () = Fun.protect f ~finally:(fun () -> Drover.Latch.count_down latch) in
      List.iter (fun f -> Drover.Scope.spawn s (part f)) fs;
      Drover.Latch.wait latch)

let resolve env f =
  let p, r = Drover.Promise.create () in
  let task =
    World.launch env.world (fun () ->
        let o = outcome f in
        settle p r o;
        Result.iter_error raise o)
  in
  Drover.await task;
  Drover.await p

let twice f = ignore (Drover.both f f : unit * unit)

let force env f =
  let ran = Atomic.make 0 in
  let l =
    Drover.Lazy.from_fun (fun () ->
        f ();
        World.one_more ran;
        ran)
  in
  twice (fun () -> if Drover.Lazy.force l != ran then complain env "a lazy value is another");
  if Atomic.get ran <> 1 then complain env "a lazy value was computed %d times" (Atomic.get ran)

let rec eval env t =
  let found = Drover.Local.get env.world.local in
  if found <> env.value then complain env "local value %d instead of %d" found env.value;
  env.wrap (fun () -> step env t)

and step env t =
  let part t () = eval env t in
  let parts = List.map part in
  match t with
  | Work n -> work n
  | Fail n -> raise (Failed n)
  | Check -> Drover.Scope.check ()
  | Nap s -> Drover.sleep s
  | Block -> Drover.blocking (fun () -> work 3)
  | Later -> Drover.await (Drover.async ignore)
  | Both (a, b) ->
      group env "both" both
        (parts [ a; b ])
        (function [ f; g ] -> ignore (Drover.both f g : unit * unit) | _ -> assert false)
  | All ts -> group env "all" both (parts ts) (fun fs -> ignore (Drover.all fs : unit list))
  | For (grain, ts) ->
      group env "parallel_for" both (parts ts) (fun fs ->
          let fs = each fs in
          Drover.parallel_for ~grain ~start:0 ~finish:(last fs) (fun i -> fs.(i) ()))
  | Reduce (grain, ts) -> group env "parallel_reduce" both (parts ts) (sum env ~grain)
  | Find ts -> group env "parallel_find_any" none_runs (parts ts) find
  | First ts -> group env "first" none_runs (parts ts) (fun fs -> Drover.Scope.first fs)
  | Array ts ->
      group env "Array.iter" both (parts ts) (fun fs -> Drover.Array.iter (fun f -> f ()) (each fs))
  | Seq ts ->
      group env "Seq.iter" nothing (parts ts) (fun fs ->
          Drover.Seq.iter ~ahead:2 (fun f -> f ()) (List.to_seq fs))
  | Latch ts -> group env "a scope with a latch" both (parts ts) latch
  | Scope { spawned; daemon; ending; body } ->
      let fs = parts (body :: spawned) in
      if daemon then
        group env "a scope with a daemon" none_runs (never :: fs) (fun fs ->
            scope (Some (List.hd fs)) ending (List.tl fs))
      else group env "a scope" both fs (scope None ending)
  | Async (a, b) ->
      group env "async" all_run (parts [ a ]) (fun fs ->
          let task = World.launch env.world (List.hd fs) in
          eval env b;
          Drover.await task)
  | Resolve t -> group env "a promise" all_run (parts [ t ]) (fun fs -> resolve env (List.hd fs))
  | Orphan t ->
      group env "async" nothing (parts [ t ]) (fun fs ->
          ignore (World.launch env.world (List.hd fs) : unit Drover.Promise.t))
  | _ -> around env t

and around env t =
  let within what t call =
    group env what both [ (fun () -> eval env t) ] (fun fs -> call (List.hd fs))
  in
  match t with
  | Bear t -> (
      try eval env t with
      | Drover.Cancelled _ as e -> raise e
      | e -> if not (is_known env e) then complain env "raised: %s" (Printexc.to_string e))
  | In_time (s, t) -> within "with_timeout" t (Drover.Scope.with_timeout s)
  | Protect t -> within "protect" t Drover.Scope.protect
  | Bracket t -> within "bracket" t (World.bracket env.world)
  | Until_signal t -> within "run_until_signal" t World.until_signal
  | Local (value, t) ->
      group env "with_value" both
        [ (fun () -> eval { env with value } t) ]
        (fun fs -> Drover.Local.with_value env.world.local value (List.hd fs))
  | Run (domains, t) -> within "run" t (fun f -> Drover.run ~domains f)
  | Other t -> within "Pool.run" t (Drover.Pool.run env.world.other)
  | Thread t ->
      group env "a thread" nothing
        [ (fun () -> eval { env with value = 0 } t) ]
        (fun fs -> in_thread (List.hd fs))
  | Lock (i, t) -> World.lock env.world i (fun () -> eval env t)
  | Permit (i, t) -> World.permit env.world i (fun () -> eval env t)
  | Read t -> World.read env.world (fun () -> eval env t)
  | Write t -> World.write env.world (fun () -> eval env t)
  | Steps ts -> List.iter (eval env) ts
  | _ -> meet env t

and meet env t =
  let w = env.world in
  match t with
  | Wait_for -> briefly (fun () -> World.wait_for w)
  | Signal -> World.signal w
  | Send i -> briefly (fun () -> World.send w i)
  | Recv i -> briefly (fun () -> World.recv w i)
  | Select _ -> briefly (fun () -> World.select w)
  | Meet -> briefly (fun () -> World.meet w)
  | Once t -> force env (fun () -> eval env t)
  | Force t -> force env (fun () -> eval env t)
  | Submit -> World.submit w
  | Insert -> World.insert w
  | Add -> World.add w
  | Put -> World.put w
  | _ -> assert false
