(* Semaphores are linearizable: a number of permits. *)

module Semaphore = Drover.Semaphore

module type Requests = sig
  val most : int
  (** How many permits a command takes or gives, at most. *)
end

module Oracle (Requests : Requests) = struct
  type cmd = Acquire of int | Try_acquire of int | Release of int | Free
  type result = Unit | Bool of bool | Int of int
  type state = int
  type sut = Semaphore.t

  let show_cmd = function
    | Acquire n -> Printf.sprintf "Acquire %d" n
    | Try_acquire n -> Printf.sprintf "Try_acquire %d" n
    | Release n -> Printf.sprintf "Release %d" n
    | Free -> "Free"

  let some command = QCheck.Gen.map command (QCheck.Gen.int_range 1 Requests.most)

  let never_waiting =
    [ some (fun n -> Try_acquire n); some (fun n -> Release n); QCheck.Gen.return Free ]

  let first = QCheck.Gen.oneof never_waiting
  let acquire = some (fun n -> Acquire n)
  let cmd = QCheck.Gen.oneof (acquire :: acquire :: never_waiting)

  (* At most four in each of three strands wait. *)
  let last = List.init 12 (fun _ -> Release Requests.most)
  let init_state = Requests.most + 1
  let init_sut () = Semaphore.create init_state
  let cleanup _ = ()

  let run cmd s =
    match cmd with
    | Acquire n ->
        Semaphore.acquire ~n s;
        Unit
    | Try_acquire n -> Bool (Semaphore.try_acquire ~n s)
    | Release n ->
        Semaphore.release ~n s;
        Unit
    | Free -> Int (Semaphore.free s)

  (* It fails as well where permits gather for one who waits for several. *)
  let may_fail n free = n > free || Requests.most > 1

  let step free cmd result =
    match (cmd, result) with
    | Acquire n, _ | Try_acquire n, Bool true -> if free >= n then Some (free - n) else None
    | Try_acquire n, _ -> if may_fail n free then Some free else None
    | Release n, _ -> Some (free + n)
    | Free, found -> if found = Int free then Some free else None
end

module Company (Requests : Requests) = Strands.Make_waiting (Oracle (Requests))

module One = Company (struct
  let most = 1
end)

module Several = Company (struct
  let most = 3
end)

let () =
  Test_support.Properties.run
    [ One.tasks_and_threads "semaphore"; Several.tasks_and_threads "semaphore, several permits" ]
