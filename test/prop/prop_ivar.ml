(* The ivar is linearizable, and calls each waiter once and in order. *)

open QCheck

module Spec = struct
  type cmd = Fill of int | Peek | On_fill | Sit | Leave | Calls

  (* Waiters are numbered as they come; [waiters] are the last first, without those who left before
     the fill; [seats] are those that may leave, the first first. *)
  type state = { value : int option; came : int; waiters : int list; seats : int list }

  (* [calls] says who was called, the last first. *)
  type sut = {
    ivar : int Ivar.t;
    came : int Atomic.t;
    gone : int Atomic.t;
    calls : int list Atomic.t;
    leave : (unit -> unit) Queue.t;
  }

  let show_cmd = function
    | Fill v -> Printf.sprintf "Fill %d" v
    | Peek -> "Peek"
    | On_fill -> "On_fill"
    | Sit -> "Sit"
    | Leave -> "Leave"
    | Calls -> "Calls"

  let parallel_cmds =
    Gen.[ (1, map (fun v -> Fill v) nat_small); (1, pure Peek); (3, pure On_fill) ]

  (* The calls come after the fill, so another domain may see some of them before the others. *)
  let parallel _ = make ~print:show_cmd (Gen.oneof_weighted parallel_cmds)

  let arb_cmd _ =
    let alone = [ (1, Gen.pure Calls); (3, Gen.pure Sit); (2, Gen.pure Leave) ] in
    make ~print:show_cmd (Gen.oneof_weighted (alone @ parallel_cmds))

  (* No fill yet: the race is still to come. *)
  let waiting _ = make ~print:show_cmd (Gen.oneof_list [ Peek; On_fill; Sit; Leave ])
  let init_state = { value = None; came = 0; waiters = []; seats = [] }

  let init_sut () =
    {
      ivar = Ivar.create ();
      came = Atomic.make 0;
      gone = Atomic.make 0;
      calls = Atomic.make [];
      leave = Queue.create ();
    }

  let rec called s i =
    let before = Atomic.get s.calls in
    if not (Atomic.compare_and_set s.calls before (i :: before)) then called s i

  let come s enter =
    let i = Atomic.fetch_and_add s.came 1 in
    enter s.ivar (fun () -> called s i)

  let sit s =
    let seat = Ivar.seat () in
    come s (fun ivar k -> Ivar.sit ivar seat k);
    Queue.add (fun () -> Ivar.stand_up seat) s.leave

  let leave s =
    if Option.is_none (Ivar.peek s.ivar) then Atomic.incr s.gone;
    Queue.take s.leave ()

  (* All domains have ended. *)
  let cleanup s =
    let stayed = Atomic.get s.came - Atomic.get s.gone in
    let expected = if Option.is_some (Ivar.peek s.ivar) then stayed else 0 in
    let calls = Atomic.get s.calls in
    if List.length calls <> expected || List.length (List.sort_uniq compare calls) <> expected then
      failwith "each waiter that stays is called once, after the fill"

  let precond cmd s = cmd <> Leave || s.seats <> []

  let next_state cmd (s : state) =
    match (cmd, s.seats) with
    | Fill v, _ -> if Option.is_none s.value then { s with value = Some v } else s
    | On_fill, _ -> { s with came = s.came + 1; waiters = s.came :: s.waiters }
    | Sit, _ ->
        { s with came = s.came + 1; waiters = s.came :: s.waiters; seats = s.seats @ [ s.came ] }
    | Leave, i :: seats ->
        let is_late = Option.is_some s.value in
        { s with seats; waiters = List.filter (fun j -> is_late || i <> j) s.waiters }
    | (Peek | Calls | Leave), _ -> s

  let run cmd s =
    match cmd with
    | Fill v -> STM.Res (STM.bool, Ivar.fill s.ivar v)
    | Peek -> STM.Res (STM.option STM.int, Ivar.peek s.ivar)
    | On_fill -> STM.Res (STM.unit, come s Ivar.on_fill)
    | Sit -> STM.Res (STM.unit, sit s)
    | Leave -> STM.Res (STM.unit, leave s)
    | Calls -> STM.Res (STM.list STM.int, List.rev (Atomic.get s.calls))

  let postcond cmd (s : state) (res : STM.res) =
    match (cmd, res) with
    | Fill _, Res ((STM.Bool, _), won) -> won = Option.is_none s.value
    | Peek, Res ((STM.Option STM.Int, _), v) -> v = s.value
    | (On_fill | Sit | Leave), Res ((STM.Unit, _), ()) -> true
    | Calls, Res ((STM.List STM.Int, _), calls) ->
        calls = if Option.is_none s.value then [] else List.rev s.waiters
    | _ -> false
end

module Agrees = Agree.Make (Spec)

let () =
  Test_support.Properties.run
    [
      Agrees.sequential "ivar";
      Agrees.domains "ivar" ~prefix:3 ~before:Spec.waiting ~one:Spec.parallel ~other:Spec.parallel;
    ]
