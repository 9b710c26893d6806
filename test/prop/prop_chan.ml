(* Channels are linearizable: queues with a bound, that can be closed. *)

open Drover
open Stdlib

(* Without waits. *)

type state = { queue : int list; closed : bool }

let empty = { queue = []; closed = false }

module Trying (Kind : sig
  val capacity : int
  val create : unit -> int Chan.t
end) =
struct
  type cmd = Send of int | Recv | Close | Is_closed | Length
  type nonrec state = state
  type sut = int Chan.t

  let show_cmd = function
    | Send v -> Printf.sprintf "Try_send %d" v
    | Recv -> "Try_recv"
    | Close -> "Close"
    | Is_closed -> "Is_closed"
    | Length -> "Length"

  let arb_cmd _ =
    let open QCheck.Gen in
    QCheck.make ~print:show_cmd
      (oneof_weighted
         [
           (8, map (fun v -> Send v) (int_range 1 99));
           (8, pure Recv);
           (1, pure Close);
           (1, pure Is_closed);
           (2, pure Length);
         ])

  let init_state = empty
  let init_sut = Kind.create
  let cleanup _ = ()
  let precond _ _ = true
  let is_full s = List.length s.queue = Kind.capacity

  let next_state cmd s =
    match cmd with
    | Send v -> if s.closed || is_full s then s else { s with queue = s.queue @ [ v ] }
    | Recv -> { s with queue = List.drop 1 s.queue }
    | Close -> { s with closed = true }
    | Is_closed | Length -> s

  let run cmd c =
    let open STM in
    match cmd with
    | Send v -> Res (result bool exn, protect (Chan.try_send c) v)
    | Recv -> Res (result (option int) exn, protect Chan.try_recv c)
    | Close -> Res (unit, Chan.close c)
    | Is_closed -> Res (bool, Chan.is_closed c)
    | Length -> Res (int, Chan.length c)

  let postcond cmd s (res : STM.res) =
    match (cmd, res) with
    | Send _, Res ((STM.Result (STM.Bool, STM.Exn), _), r) ->
        r = if s.closed then Error Chan.Closed else Ok (not (is_full s))
    | Recv, Res ((STM.Result (STM.Option STM.Int, STM.Exn), _), r) -> (
        match s.queue with
        | v :: _ -> r = Ok (Some v)
        | [] -> r = if s.closed then Error Chan.Closed else Ok None)
    | Close, Res ((STM.Unit, _), ()) -> true
    | Is_closed, Res ((STM.Bool, _), b) -> b = s.closed
    | Length, Res ((STM.Int, _), n) -> n = List.length s.queue
    | _ -> false
end

let trying name capacity create =
  let module Spec = Trying (struct
    let capacity = capacity
    let create = create
  end) in
  let module Agrees = Agree.Make (Spec) in
  let module Company = Strands.Make (Spec) in
  let cmds = Spec.arb_cmd and name = "trying, " ^ name in
  [
    Agrees.sequential name;
    Agrees.domains ~count:40 name ~prefix:4 ~before:cmds ~one:cmds ~other:cmds;
    Company.tasks_and_threads name;
  ]

(* With waits, at one of two channels or at both. All waits end when they are closed. *)

type side = A | B

type cmd =
  | Send of side * int
  | Recv of side
  | Put of int
  (* into either *)
  | Take
  | Close of side

module Waiting (Kind : sig
  val capacity : int
  val create : unit -> int Chan.t
end) =
struct
  type nonrec cmd = cmd
  type result = Sent of side | Received of side * int | Closed
  type nonrec state = { a : state; b : state }
  type sut = side -> int Chan.t

  let side = function A -> "A" | B -> "B"

  let show_cmd = function
    | Send (s, v) -> Printf.sprintf "Send (%s, %d)" (side s) v
    | Recv s -> "Recv " ^ side s
    | Put v -> Printf.sprintf "Put %d" v
    | Take -> "Take"
    | Close s -> "Close " ^ side s

  let any_side = QCheck.Gen.oneof_list [ A; B ]
  let value = QCheck.Gen.int_range 1 99

  let cmd =
    let open QCheck.Gen in
    oneof_weighted
      [
        (3, map2 (fun s v -> Send (s, v)) any_side value);
        (3, map (fun s -> Recv s) any_side);
        (2, map (fun v -> Put v) value);
        (2, pure Take);
      ]

  let first = QCheck.Gen.map (fun s -> Close s) any_side
  let last = [ Close A; Close B ]

  let init_sut () =
    let a = Kind.create () and b = Kind.create () in
    function A -> a | B -> b

  let cleanup _ = ()

  let run cmd c =
    let sent s () = Sent s and received s v = Received (s, v) in
    try
      match cmd with
      | Send (s, v) -> sent s (Chan.send (c s) v)
      | Recv s -> received s (Chan.recv (c s))
      | Put v -> Chan.select [ Chan.sending (c A) v (sent A); Chan.sending (c B) v (sent B) ]
      | Take -> Chan.select [ Chan.receiving (c A) (received A); Chan.receiving (c B) (received B) ]
      | Close s -> sent s (Chan.close (c s))
    with Chan.Closed -> Closed

  let init_state = { a = empty; b = empty }
  let get { a; b } = function A -> a | B -> b
  let set s side one = match side with A -> { s with a = one } | B -> { s with b = one }

  let send s side v =
    let one = get s side in
    if one.closed || List.length one.queue = Kind.capacity then None
    else Some (set s side { one with queue = one.queue @ [ v ] })

  let receive s side v =
    let one = get s side in
    match one.queue with w :: queue when v = w -> Some (set s side { one with queue }) | _ -> None

  let no_sends s side = (get s side).closed
  let no_messages s side = no_sends s side && List.is_empty (get s side).queue
  let unchanged s condition = if condition then Some s else None

  let step s cmd result =
    match (cmd, result) with
    | Send (side, v), Sent _ -> send s side v
    | Send (side, _), Closed -> unchanged s (no_sends s side)
    | Put v, Sent side -> send s side v
    | Put _, Closed -> unchanged s (no_sends s A && no_sends s B)
    | Recv side, Received (_, v) -> receive s side v
    | Recv side, Closed -> unchanged s (no_messages s side)
    | Take, Received (side, v) -> receive s side v
    | Take, Closed -> unchanged s (no_messages s A && no_messages s B)
    | Close side, Sent _ -> Some (set s side { (get s side) with closed = true })
    | (Send _ | Put _), Received _ | (Recv _ | Take), Sent _ | Close _, (Received _ | Closed) ->
        None
end

let waiting name capacity create =
  let module Company = Strands.Make_waiting (Waiting (struct
    let capacity = capacity
    let create = create
  end))
  in
  Company.tasks_and_threads ("waiting, " ^ name)

let () =
  let bounded n () = Chan.bounded n in
  Test_support.Properties.run
    (trying "bounded to 1" 1 (bounded 1)
    @ trying "bounded to 3" 3 (bounded 3)
    @ trying "unbounded" max_int Chan.unbounded
    @ [
        waiting "bounded to 1" 1 (bounded 1);
        waiting "bounded to 3" 3 (bounded 3);
        waiting "unbounded" max_int Chan.unbounded;
      ])
