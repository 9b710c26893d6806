(* Maps and their like, by ranks of both kinds. *)

let scene name play = { Ranks.name; play }
let ranks = 3

let lead name f =
  scene name (fun () ->
      Drover_mpi.run ~domains:1 (fun () ->
          f ();
          print_string Ranks.fine))

let numbers n = Array.init n Fun.id
let square i = i * i
let check_squares n found = assert (found = Array.init n square)

(* Each rank has something to do. *)
let spread () =
  let where =
    Drover_mpi.map
      (fun _ ->
        Unix.sleepf 0.002;
        Drover_mpi.rank ())
      (numbers 200)
  in
  List.iter (fun r -> assert (Array.mem r where)) (List.init (Drover_mpi.size ()) Fun.id)

let maps () =
  assert (Drover_mpi.rank () = 0 && Drover_mpi.size () = ranks);
  check_squares 1000 (Drover_mpi.map square (numbers 1000));
  check_squares 0 (Drover_mpi.map square [||]);
  check_squares 1 (Drover_mpi.map square [| 0 |]);
  let offset = Random.bits () in
  let functions = Drover_mpi.map (fun i () -> i + offset) (numbers 10) in
  Array.iteri (fun i f -> assert (f () = i + offset)) functions;
  let long = Drover_mpi.map (fun i -> String.make (i * 100_000) 'x') (numbers 30) in
  Array.iteri (fun i s -> assert (String.length s = i * 100_000)) long;
  let lengths = Drover_mpi.map String.length long in
  Array.iteri (fun i n -> assert (n = i * 100_000)) lengths

let parallel () =
  let sum k = Drover.parallel_reduce ~start:1 ~finish:k ~init:0 ~combine:( + ) Fun.id in
  let sums = Drover_mpi.map sum (numbers 100) in
  Array.iteri (fun k s -> assert (s = k * (k + 1) / 2)) sums

let several_at_a_time () =
  let found =
    Drover.all (List.init 5 (fun k () -> Drover_mpi.map (fun i -> i + k) (numbers 100)))
  in
  List.iteri (fun k a -> assert (a = Array.init 100 (fun i -> i + k))) found

let streams () =
  let seen = Array.make 300 false in
  let each i v =
    assert (v = square i && not seen.(i));
    seen.(i) <- true
  in
  Drover_mpi.stream square (numbers 300) each;
  assert (Array.for_all Fun.id seen)

let reduces () =
  let text n = String.concat "" (List.init n string_of_int) in
  let joined n = Drover_mpi.reduce ~init:"" ~combine:( ^ ) string_of_int (numbers n) = text n in
  assert (List.for_all joined [ 0; 1; 2; 1023; 1024; 1025; 5000 ]);
  let sum =
    Drover_mpi.reduce ~init:0. ~combine:( +. ) (fun i -> 1. /. float (i + 1)) (numbers 9999)
  in
  let again =
    Drover_mpi.reduce ~init:0. ~combine:( +. ) (fun i -> 1. /. float (i + 1)) (numbers 9999)
  in
  assert (sum = again)

exception Odd of int

let odd i = if i mod 2 = 1 then raise (Odd i) else i

let errors () =
  (match Drover_mpi.map (fun i -> if i = 57 then raise (Odd i) else i) (numbers 100) with
  | (_ : int array) -> assert false
  | exception Drover_mpi.Failed { item; message; backtrace; rank } ->
      assert (item = Some 57 && rank >= 0 && rank < ranks);
      assert (String.ends_with ~suffix:"Odd(57)" message);
      assert (backtrace <> ""));
  let found = Drover_mpi.map ~on_error:(fun { item; _ } -> -Option.get item) odd (numbers 100) in
  assert (found = Array.init 100 (fun i -> if i mod 2 = 1 then -i else i));
  check_squares 100 (Drover_mpi.map square (numbers 100))

(* A rank remembers what it has seen, so an item succeeds there the second time at the latest; with
   as many retries as there are ranks it does so somewhere. *)
let seen = Hashtbl.create 16

let fails_once i =
  if Hashtbl.mem seen i then square i
  else begin
    Hashtbl.add seen i ();
    raise (Odd i)
  end

let retries () = check_squares 100 (Drover_mpi.map ~retries:ranks fails_once (numbers 100))
let refuses f = match f () with _ -> assert false | exception Invalid_argument message -> message

(* Whichever rank it would go to: the first item is rank 0's. *)
let cannot_be_sent () =
  for k = 0 to 20 do
    let mutexes = Array.init 21 (fun i -> if i = k then Some (Mutex.create ()) else None) in
    let message = refuses (fun () -> Drover_mpi.map (fun _ -> ()) mutexes) in
    let prefix = Printf.sprintf "Drover_mpi: item %d cannot be sent" k in
    assert (String.starts_with ~prefix message)
  done;
  let mutex = Mutex.create () in
  let locked i = Mutex.protect mutex (fun () -> i) in
  let message = refuses (fun () -> Drover_mpi.map locked (numbers 10)) in
  assert (String.starts_with ~prefix:"Drover_mpi: the function cannot be sent" message);
  let failed = ref 0 in
  let on_error (f : Drover_mpi.failure) =
    assert (String.starts_with ~prefix:"its result cannot be sent" f.message);
    incr failed;
    Mutex.create ()
  in
  let (_ : Mutex.t array) = Drover_mpi.map ~on_error (fun _ -> Mutex.create ()) (numbers 10) in
  assert (!failed = 10)

let everywhere () =
  let ranks' = Drover_mpi.everywhere (fun () -> (Drover_mpi.rank (), Unix.getpid ())) in
  assert (Array.map fst ranks' = numbers ranks);
  assert (List.length (List.sort_uniq compare (Array.to_list (Array.map snd ranks'))) = ranks)

let misuse () =
  ignore (refuses (fun () -> Drover_mpi.run ignore) : string);
  let inside () = try Drover_mpi.map square [| 1 |] <> [||] with Invalid_argument _ -> false in
  let could = Drover_mpi.everywhere inside in
  assert (could = Array.init ranks (fun r -> r = 0));
  ignore (refuses (fun () -> Drover_mpi.map ~retries:(-1) square [| 1 |]) : string)

(* What is none of an item's business. *)
let no_items =
  let ignored (_ : int array) = () in
  let reduce items () = ignore (Drover_mpi.reduce ~init:0 ~combine:( + ) Fun.id items : int) in
  let within_loop f () = Drover.parallel_for ~start:1 ~finish:1 (fun _ -> f ()) in
  [
    (fun () -> ignored (Drover_mpi.map Fun.id [| 1; 2 |]));
    (fun () -> ignored (Drover_mpi.map Fun.id [||]));
    within_loop (fun () -> Drover_mpi.iter ignore [| (); () |]);
    (fun () -> Drover_mpi.stream Fun.id [| 1; 2 |] (fun _ _ -> ()));
    reduce [| 1; 2 |];
    reduce [||];
    (fun () -> ignore (Drover_mpi.everywhere ignore : unit array));
    Drover_mpi.barrier;
    (fun () -> Drover_mpi.run ignore);
  ]

(* Each rank has a piece from the beginning. *)
let inside_an_item () =
  let is_refused call =
    match call () with
    | () -> false
    | exception Invalid_argument message -> String.starts_with ~prefix:"Drover_mpi." message
  in
  let item _ = (Drover_mpi.rank (), List.for_all is_refused no_items) in
  let check () =
    let found = Array.to_list (Drover_mpi.map item (numbers 200)) in
    let expected = List.init ranks (fun rank -> (rank, true)) in
    assert (List.sort_uniq compare found = expected)
  in
  check ();
  (* Rank 0 may map inside [everywhere], and such an item is one like others. *)
  let check_at_0 () = if Drover_mpi.rank () = 0 then check () in
  ignore (Drover_mpi.everywhere check_at_0 : unit array)

let twice =
  scene "a second time" (fun () ->
      let sum k () = Drover_mpi.reduce ~init:k ~combine:( + ) Fun.id (numbers 10) in
      let a = Drover_mpi.run (sum 1) in
      let b = Drover_mpi.run (sum 2) in
      assert (a = 46 && b = 47);
      print_string Ranks.fine)

let scenes =
  [
    lead "map" maps;
    lead "all ranks compute" spread;
    lead "items that are parallel" parallel;
    lead "several maps at a time" several_at_a_time;
    lead "stream" streams;
    lead "reduce" reduces;
    lead "failures" errors;
    lead "retries" retries;
    lead "what cannot be sent" cannot_be_sent;
    lead "everywhere" everywhere;
    lead "misuse" misuse;
    lead "inside an item" inside_an_item;
    twice;
  ]

let cases = Ranks.cases scenes ~ranks

let () =
  Ranks.main scenes @@ fun () ->
  Alcotest.run "mpi"
    (("processes", cases Processes)
    :: (if Lazy.force Launcher.is_there then [ ("MPI", cases Mpi) ] else []))
