(* Mutexes: linearizable as a flag; and what they protect, a counter and a queue that waits at
   condition variables, is linearizable without any atomic of its own. *)

module Mutex = Drover.Mutex
module Condition = Drover.Condition

module Flag = struct
  type cmd = Try_lock | Unlock | Is_locked
  type state = bool
  type sut = Mutex.t

  let show_cmd = function Try_lock -> "Try_lock" | Unlock -> "Unlock" | Is_locked -> "Is_locked"

  let arb_cmd _ =
    QCheck.make ~print:show_cmd (QCheck.Gen.oneof_list [ Try_lock; Unlock; Is_locked ])

  let init_state = false
  let init_sut () = Mutex.create ()
  let cleanup _ = ()
  let precond _ _ = true

  let next_state cmd is_locked =
    match cmd with Try_lock -> true | Unlock -> false | Is_locked -> is_locked

  let run cmd m =
    let open STM in
    match cmd with
    | Try_lock -> Res (bool, Mutex.try_lock m)
    | Unlock -> Res (result unit exn, protect Mutex.unlock m)
    | Is_locked -> Res (bool, Mutex.is_locked m)

  let postcond cmd is_locked (res : STM.res) =
    match (cmd, res) with
    | Try_lock, Res ((STM.Bool, _), got) -> got = not is_locked
    | Unlock, Res ((STM.Result (STM.Unit, STM.Exn), _), r) -> Result.is_ok r = is_locked
    | Is_locked, Res ((STM.Bool, _), b) -> b = is_locked
    | _ -> false
end

module Flags = Agree.Make (Flag)

(* Whoever is inside lets others run: they must wait. *)
let let_others_run () =
  match Drover.Pool.current () with
  | Some _ -> Drover.await (Drover.async ignore)
  | None -> Thread.yield ()

module Counter = struct
  type cmd = Add of int | Try_add of int
  type result = Before of int | Busy
  type state = int
  type sut = { mutex : Mutex.t; mutable n : int }

  let show_cmd = function
    | Add k -> Printf.sprintf "Add %d" k
    | Try_add k -> Printf.sprintf "Try_add %d" k

  let cmd =
    let open QCheck.Gen in
    oneof_weighted
      [ (3, map (fun k -> Add k) (int_range 1 9)); (1, map (fun k -> Try_add k) (int_range 1 9)) ]

  let first = cmd
  let last = [ Add 10; Try_add 20; Add 30 ]
  let init_sut () = { mutex = Mutex.create (); n = 0 }
  let cleanup _ = ()

  let add sut k =
    let before = sut.n in
    let_others_run ();
    sut.n <- before + k;
    Before before

  let run cmd sut =
    match cmd with
    | Add k -> Mutex.protect sut.mutex (fun () -> add sut k)
    | Try_add k when Mutex.try_lock sut.mutex ->
        let result = add sut k in
        Mutex.unlock sut.mutex;
        result
    | Try_add _ -> Busy

  let init_state = 0

  let step n cmd result =
    match (cmd, result) with
    | (Add k | Try_add k), Before m when m = n -> Some (n + k)
    | Try_add _, Busy -> Some n
    | (Add _ | Try_add _), (Before _ | Busy) -> None
end

(* A queue for two, until it is closed. *)
module Monitor = struct
  type cmd = Put of int | Take | Close
  type result = Done | Taken of int | Closed
  type state = { queue : int list; closed : bool }

  type sut = {
    mutex : Mutex.t;
    not_full : Condition.t;
    not_empty : Condition.t;
    mutable state : state;
  }

  let show_cmd = function Put v -> Printf.sprintf "Put %d" v | Take -> "Take" | Close -> "Close"

  let cmd =
    QCheck.Gen.(oneof_weighted [ (1, map (fun v -> Put v) (int_range 1 99)); (1, pure Take) ])

  let first = QCheck.Gen.oneof_list [ Close ]
  let last = [ Close ]
  let init_state = { queue = []; closed = false }

  let init_sut () =
    {
      mutex = Mutex.create ();
      not_full = Condition.create ();
      not_empty = Condition.create ();
      state = init_state;
    }

  let cleanup _ = ()
  let is_full s = List.length s.queue >= 2

  let put sut v =
    while is_full sut.state && not sut.state.closed do
      Condition.wait sut.not_full sut.mutex
    done;
    let s = sut.state in
    if s.closed then Closed
    else begin
      let_others_run ();
      sut.state <- { s with queue = s.queue @ [ v ] };
      Condition.signal sut.not_empty;
      Done
    end

  let take sut =
    while List.is_empty sut.state.queue && not sut.state.closed do
      Condition.wait sut.not_empty sut.mutex
    done;
    match sut.state.queue with
    | [] -> Closed
    | v :: queue ->
        sut.state <- { sut.state with queue };
        Condition.signal sut.not_full;
        Taken v

  let close sut =
    sut.state <- { sut.state with closed = true };
    Condition.broadcast sut.not_full;
    Condition.broadcast sut.not_empty;
    Done

  let run cmd sut =
    Mutex.protect sut.mutex (fun () ->
        match cmd with Put v -> put sut v | Take -> take sut | Close -> close sut)

  let step s cmd result =
    match (cmd, result) with
    | Put v, Done when not (s.closed || is_full s) -> Some { s with queue = s.queue @ [ v ] }
    | Put _, Closed when s.closed -> Some s
    | Take, Taken v when List.nth_opt s.queue 0 = Some v ->
        Some { s with queue = List.drop 1 s.queue }
    | Take, Closed when s.closed && List.is_empty s.queue -> Some s
    | Close, Done -> Some { s with closed = true }
    | (Put _ | Take | Close), (Done | Taken _ | Closed) -> None
end

module Counters = Strands.Make_waiting (Counter)
module Monitors = Strands.Make_waiting (Monitor)

let () =
  let cmds = Flag.arb_cmd in
  Test_support.Properties.run
    [
      Flags.sequential "mutex";
      Flags.domains ~count:100 "mutex" ~prefix:4 ~before:cmds ~one:cmds ~other:cmds;
      Counters.tasks_and_threads "a counter with a mutex";
      Monitors.tasks_and_threads "a queue with condition variables";
    ]
