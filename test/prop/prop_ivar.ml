(* The ivar is linearizable, and calls each waiter once and in order. *)

open QCheck

module Spec = struct
  type cmd = Fill of int | Peek | On_fill | Calls
  type state = { value : int option; waiters : int }

  (* Waiters are numbered as they come; [calls] says who was called, the last first. *)
  type sut = { ivar : int Ivar.t; came : int Atomic.t; calls : int list Atomic.t }

  let show_cmd = function
    | Fill v -> Printf.sprintf "Fill %d" v
    | Peek -> "Peek"
    | On_fill -> "On_fill"
    | Calls -> "Calls"

  let parallel_cmds =
    Gen.[ (1, map (fun v -> Fill v) nat_small); (1, pure Peek); (3, pure On_fill) ]

  (* The calls come after the fill, so another domain may see some of them before the others. *)
  let parallel _ = make ~print:show_cmd (Gen.oneof_weighted parallel_cmds)
  let arb_cmd _ = make ~print:show_cmd (Gen.oneof_weighted ((1, Gen.pure Calls) :: parallel_cmds))

  (* No fill yet: the race is still to come. *)
  let waiting _ = make ~print:show_cmd (Gen.oneof_list [ Peek; On_fill ])
  let init_state = { value = None; waiters = 0 }
  let init_sut () = { ivar = Ivar.create (); came = Atomic.make 0; calls = Atomic.make [] }

  let rec called s i =
    let before = Atomic.get s.calls in
    if not (Atomic.compare_and_set s.calls before (i :: before)) then called s i

  let on_fill s =
    let i = Atomic.fetch_and_add s.came 1 in
    Ivar.on_fill s.ivar (fun () -> called s i)

  (* All domains have ended. *)
  let cleanup s =
    let expected = if Option.is_some (Ivar.peek s.ivar) then Atomic.get s.came else 0 in
    let calls = List.sort compare (Atomic.get s.calls) in
    if calls <> List.init expected Fun.id then failwith "each waiter is called once, after the fill"

  let precond _ _ = true

  let next_state cmd s =
    match (cmd, s.value) with
    | Fill v, None -> { s with value = Some v }
    | On_fill, _ -> { s with waiters = s.waiters + 1 }
    | (Fill _ | Peek | Calls), _ -> s

  let run cmd s =
    match cmd with
    | Fill v -> STM.Res (STM.bool, Ivar.fill s.ivar v)
    | Peek -> STM.Res (STM.option STM.int, Ivar.peek s.ivar)
    | On_fill -> STM.Res (STM.unit, on_fill s)
    | Calls -> STM.Res (STM.list STM.int, List.rev (Atomic.get s.calls))

  let postcond cmd (s : state) (res : STM.res) =
    match (cmd, res) with
    | Fill _, Res ((STM.Bool, _), won) -> won = Option.is_none s.value
    | Peek, Res ((STM.Option STM.Int, _), v) -> v = s.value
    | On_fill, Res ((STM.Unit, _), ()) -> true
    | Calls, Res ((STM.List STM.Int, _), calls) ->
        calls = if Option.is_none s.value then [] else List.init s.waiters Fun.id
    | _ -> false
end

module Agrees = Agree.Make (Spec)

let () =
  QCheck_base_runner.run_tests_main
    [
      Agrees.sequential "ivar";
      Agrees.domains "ivar" ~prefix:3 ~before:Spec.waiting ~one:Spec.parallel ~other:Spec.parallel;
    ]
