(* What read-write locks guard is linearizable: a number that is read and written in two steps. *)

module Rwlock = Drover.Rwlock

module Oracle = struct
  type cmd = Read | Add of int
  type result = Found of int * int | Unit
  type state = int
  type sut = { lock : Rwlock.t; mutable number : int; mutable copy : int }

  let show_cmd = function Read -> "Read" | Add n -> Printf.sprintf "Add %d" n
  let add = QCheck.Gen.map (fun n -> Add n) (QCheck.Gen.int_range 1 9)
  let cmd = QCheck.Gen.oneof [ QCheck.Gen.return Read; add ]
  let first = cmd
  let last = [ Read; Add 1 ]
  let init_state = 0
  let init_sut () = { lock = Rwlock.create (); number = 0; copy = 0 }
  let cleanup _ = ()

  let run cmd s =
    match cmd with
    | Read ->
        Rwlock.read s.lock (fun () ->
            let number = s.number in
            Drover.sleep 0.;
            Found (number, s.copy))
    | Add n ->
        Rwlock.write s.lock (fun () ->
            s.number <- s.number + n;
            Drover.sleep 0.;
            s.copy <- s.copy + n);
        Unit

  let step state cmd result =
    match (cmd, result) with
    | Read, Found (number, copy) -> if number = state && copy = state then Some state else None
    | Add n, Unit -> Some (state + n)
    | Read, Unit | Add _, Found _ -> None
end

module Company = Strands.Make_waiting (Oracle)

let () = Test_support.Properties.run [ Company.tasks_and_threads "rwlock" ]
