(* Semaphores are linearizable: a number of permits. *)

module Semaphore = Drover.Semaphore

module Oracle = struct
  type cmd = Acquire | Try_acquire | Release | Free
  type result = Unit | Bool of bool | Int of int
  type state = int
  type sut = Semaphore.t

  let show_cmd = function
    | Acquire -> "Acquire"
    | Try_acquire -> "Try_acquire"
    | Release -> "Release"
    | Free -> "Free"

  let first = QCheck.Gen.oneof_list [ Try_acquire; Release; Free ]
  let cmd = QCheck.Gen.oneof_list [ Acquire; Acquire; Try_acquire; Release; Free ]

  (* At most four in each of three strands wait. *)
  let last = List.init 12 (fun _ -> Release)
  let init_sut () = Semaphore.create 2
  let cleanup _ = ()

  let run cmd s =
    match cmd with
    | Acquire ->
        Semaphore.acquire s;
        Unit
    | Try_acquire -> Bool (Semaphore.try_acquire s)
    | Release ->
        Semaphore.release s;
        Unit
    | Free -> Int (Semaphore.free s)

  let init_state = 2

  let step n cmd result =
    match (cmd, result) with
    | Acquire, _ -> if n > 0 then Some (n - 1) else None
    | Try_acquire, Bool true -> if n > 0 then Some (n - 1) else None
    | Try_acquire, _ -> if n = 0 then Some n else None
    | Release, _ -> Some (n + 1)
    | Free, found -> if found = Int n then Some n else None
end

module Company = Strands.Make_waiting (Oracle)

let () = Test_support.Properties.run [ Company.tasks_and_threads "semaphore" ]
