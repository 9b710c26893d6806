(* Latches and lazy values are linearizable; barriers let nobody run ahead. *)

open Test_support

module Latches = Strands.Make_waiting (struct
  module Latch = Drover.Latch

  type cmd = Count_down | Wait | Left
  type result = Done | Refused | Int of int
  type state = int
  type sut = Latch.t

  let show_cmd = function Count_down -> "Count_down" | Wait -> "Wait" | Left -> "Left"
  let cmd = QCheck.Gen.oneof_list [ Count_down; Wait; Left ]
  let first = QCheck.Gen.oneof_list [ Count_down; Left ]
  let init_state = 3
  let last = List.init init_state (fun _ -> Count_down)
  let init_sut () = Latch.create init_state
  let cleanup _ = ()

  let run cmd l =
    match cmd with
    | Count_down -> (
        match Latch.count_down l with () -> Done | exception Invalid_argument _ -> Refused)
    | Wait ->
        Latch.wait l;
        Done
    | Left -> Int (Latch.left l)

  let step n cmd result =
    match (cmd, result) with
    | Count_down, Done -> if n > 0 then Some (n - 1) else None
    | (Count_down | Wait), _ -> if n = 0 then Some n else None
    | Left, found -> if found = Int n then Some n else None
end)

(* A function that fails at first and lets others run; what it returns counts its calls. *)
exception Failed

let fails () =
  Thread.yield ();
  raise Failed

module Lazies = Strands.Make_waiting (struct
  module Lazy = Drover.Lazy

  type cmd = Force | Force_failing | Is_val
  type result = Int of int | Failed_at_it | Bool of bool
  type state = bool
  type sut = { value : int Lazy.t; failing : int Lazy.t; calls : int Atomic.t }

  let show_cmd = function Force -> "Force" | Force_failing -> "Force_failing" | Is_val -> "Is_val"
  let cmd = QCheck.Gen.oneof_list [ Force; Force_failing; Is_val ]
  let first = cmd
  let last = []

  let init_sut () =
    let calls = Atomic.make 0 in
    let value () =
      Thread.yield ();
      Atomic.fetch_and_add calls 1
    and failing () = fails () in
    { value = Lazy.from_fun value; failing = Lazy.from_fun failing; calls }

  let cleanup { calls; _ } = Stranger.expect "called once at most" true (Atomic.get calls <= 1)

  let run cmd { value; failing; _ } =
    match cmd with
    | Force -> Int (Lazy.force value)
    | Force_failing -> (
        match Lazy.force failing with n -> Int n | exception Failed -> Failed_at_it)
    | Is_val -> Bool (Lazy.is_val value || Lazy.is_val failing)

  let init_state = false

  let step forced cmd result =
    match (cmd, result) with
    | Force, Int 0 -> Some true
    | Force_failing, Failed_at_it -> Some forced
    | Is_val, Bool b when b = forced -> Some forced
    | (Force | Force_failing | Is_val), (Int _ | Failed_at_it | Bool _) -> None
end)

(* Any company at a barrier. *)
type company = { places : int list; rounds : int }

let barrier { places; rounds } =
  let parties = List.length places in
  let b = Drover.Barrier.create parties and arrived = Atomic.make 0 in
  let party () =
    for round = 1 to rounds do
      Atomic.incr arrived;
      Drover.Barrier.wait b;
      if Atomic.get arrived < round * parties then failwith "ahead of others";
      Drover.Barrier.wait b
    done
  in
  let all = Array.of_list Place.all in
  let join i =
    let place = all.(i mod Array.length all) in
    Stranger.thread (fun () -> place.call party)
  in
  List.iter (fun join -> join ()) (List.map join places);
  Atomic.get arrived = parties * rounds

let barriers =
  let gen =
    let open QCheck2.Gen in
    map2
      (fun places rounds -> { places; rounds })
      (list_size (int_range 1 8) (int_range 0 100))
      (int_range 0 10)
  and print c =
    Printf.sprintf "%d rounds of %s" c.rounds (String.concat ", " (List.map string_of_int c.places))
  in
  Watchdog.property ~count:50 ~name:"barrier, tasks and threads" ~print gen barrier

let () =
  Properties.run
    [ Latches.tasks_and_threads "latch"; Lazies.tasks_and_threads "lazy value"; barriers ]
