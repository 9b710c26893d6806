(* Linearizability in mixed company: after a prefix, three strands of commands run at the same time,
   as a task, a systhread, and a task of another pool. There is an order of them all that the oracle
   agrees with. *)

open Test_support

let pools = lazy (List.init 2 (fun _ -> Drover.Pool.create ~domains:2 ()))

let task pool f =
  let promise = Drover.Pool.run pool (fun () -> Drover.async f) in
  fun () -> Drover.await promise

let kinds () =
  match Lazy.force pools with
  | [ pool; other ] -> [ task pool; Stranger.thread; task other ]
  | _ -> assert false (* there are two *)

module Make (Spec : STM.Spec) = struct
  (* Is there an order? A strand is a list of commands with their results. *)
  let rec has_order state strands =
    List.for_all List.is_empty strands || List.exists (goes_first state strands) [ 0; 1; 2 ]

  and goes_first state strands i =
    match List.nth strands i with
    | [] -> false
    | (cmd, result) :: rest ->
        Spec.postcond cmd state result
        && has_order (Spec.next_state cmd state)
             (List.mapi (fun j strand -> if i = j then rest else strand) strands)

  let run_all sut cmds = List.map (fun cmd -> (cmd, Spec.run cmd sut)) cmds

  (* The state after results that come in this order. *)
  let rec follow state = function
    | [] -> Some state
    | (cmd, result) :: rest ->
        if Spec.postcond cmd state result then follow (Spec.next_state cmd state) rest else None

  let holds (prefix, strands) =
    let sut = Spec.init_sut () in
    Fun.protect ~finally:(fun () -> Spec.cleanup sut) @@ fun () ->
    let before = run_all sut prefix in
    let start kind cmds = kind (fun () -> run_all sut cmds) in
    let waits = List.map2 start (kinds ()) strands in
    let results = List.map (fun wait -> wait ()) waits in
    match follow Spec.init_state before with Some state -> has_order state results | None -> false

  let gen =
    let open QCheck in
    let cmd = gen (Spec.arb_cmd Spec.init_state) in
    let cmds = Gen.list_size (Gen.int_range 0 4) cmd in
    Gen.pair cmds (Gen.list_size (Gen.return 3) cmds)

  let tasks_and_threads name =
    let show = QCheck.Print.(list Spec.show_cmd) in
    let print = QCheck.Print.(pair show (list show)) in
    let name = name ^ ", tasks and threads" in
    QCheck.Test.make ~count:150 ~name (QCheck.make ~print gen) (fun program ->
        Watchdog.guard (name ^ ": " ^ print program) (fun () -> Util.repeat 5 holds program))
end
