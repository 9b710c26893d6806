(* Linearizability in mixed company: after a prefix, three strands of commands run at the same time,
   as a task, a systhread, and a task of another pool, and a few last ones beside them. There is an
   order of them all that the oracle agrees with. *)

open Test_support

let pools = lazy (List.init 2 (fun _ -> Drover.Pool.create ~domains:2 ()))

let task pool f =
  let promise = Drover.Pool.run pool (fun () -> Drover.async f) in
  fun () -> Drover.await promise

let kinds () =
  match Lazy.force pools with
  | [ pool; other ] -> [ task pool; Stranger.thread; task other ]
  | _ -> assert false (* there are two *)

module type Oracle = sig
  type cmd
  type result
  type state
  type sut

  val show_cmd : cmd -> string
  val cmd : cmd QCheck.Gen.t

  val first : cmd QCheck.Gen.t
  (** What may come in the prefix, where nobody ends a wait. *)

  val last : cmd list
  (** What the main thread does beside the strands, so that every wait ends. *)

  val init_sut : unit -> sut
  val run : cmd -> sut -> result
  val cleanup : sut -> unit
  val init_state : state

  val step : state -> cmd -> result -> state option
  (** The state after a command with this result, if it can have it, or end at all. *)
end

module type Company = sig
  val tasks_and_threads : string -> QCheck.Test.t
end

module Make_waiting (O : Oracle) : Company = struct
  (* Is there an order? A strand is a list of commands with their results. From where the same
     commands have led to the same state, the search need not go on twice. *)
  let has_order state strands =
    let dead_ends = Hashtbl.create 64 in
    let rec search state strands =
      let here = (state, List.map List.length strands) in
      List.for_all List.is_empty strands
      || (not (Hashtbl.mem dead_ends here))
         && (List.exists (goes_first state strands) (List.init (List.length strands) Fun.id)
            || begin
              Hashtbl.add dead_ends here ();
              false
            end)
    and goes_first state strands i =
      match List.nth strands i with
      | [] -> false
      | (cmd, result) :: rest -> (
          let others = List.mapi (fun j strand -> if i = j then rest else strand) strands in
          match O.step state cmd result with Some after -> search after others | None -> false)
    in
    search state strands

  let run_all sut cmds = List.map (fun cmd -> (cmd, O.run cmd sut)) cmds

  (* The state after results that come in this order. *)
  let rec follow state = function
    | [] -> Some state
    | (cmd, result) :: rest -> Option.bind (O.step state cmd result) (fun s -> follow s rest)

  let holds (prefix, strands) =
    let sut = O.init_sut () in
    Fun.protect ~finally:(fun () -> O.cleanup sut) @@ fun () ->
    let before = run_all sut prefix in
    let start kind cmds = kind (fun () -> run_all sut cmds) in
    let waits = List.map2 start (kinds ()) strands in
    let last = run_all sut O.last in
    let results = last :: List.map (fun wait -> wait ()) waits in
    match follow O.init_state before with Some state -> has_order state results | None -> false

  let gen =
    let open QCheck in
    let cmds cmd = Gen.list_size (Gen.int_range 0 4) cmd in
    Gen.pair (cmds O.first) (Gen.list_size (Gen.return 3) (cmds O.cmd))

  let tasks_and_threads name =
    let show = QCheck.Print.(list O.show_cmd) in
    let print = QCheck.Print.(pair show (list show)) in
    let name = name ^ ", tasks and threads" in
    QCheck.Test.make ~count:150 ~name (QCheck.make ~print gen) (fun program ->
        Watchdog.guard ~seconds:300.
          (name ^ ": " ^ print program)
          (fun () -> Util.repeat 5 holds program))
end

module Make (Spec : STM.Spec) = Make_waiting (struct
  include Spec

  type result = STM.res

  let cmd = QCheck.gen (arb_cmd init_state)
  let first = cmd
  let last = []

  let step state cmd result =
    if postcond cmd state result then Some (next_state cmd state) else None
end)
