(* Messages and collectives, of values and of arrays of numbers, between ranks of both kinds. *)

open Drover_mpi

let scene name f =
  {
    Ranks.name;
    play =
      (fun () ->
        run ~domains:1 (fun () ->
            ignore (everywhere f : unit array);
            print_string Ranks.fine));
  }

let next () = (rank () + 1) mod size ()
let before () = (rank () + size () - 1) mod size ()
let each_root f = for root = 0 to size () - 1 do f root done [@@ocamlformat "disable"]

let messages () =
  Values.send (next ()) (rank (), "ring");
  assert (Values.recv (before ()) = (before (), "ring"));
  for i = 1 to 100 do
    Values.send ~tag:(i mod 2) (next ()) i
  done;
  let odd = List.init 50 (fun _ -> (Values.recv ~tag:1 (before ()) : int)) in
  let even = List.init 50 (fun _ -> (Values.recv ~tag:0 (before ()) : int)) in
  assert (odd = List.init 50 (fun i -> (2 * i) + 1));
  assert (even = List.init 50 (fun i -> 2 * (i + 1)));
  let offset = rank () in
  Values.send (next ()) (fun x -> x + offset);
  let f : int -> int = Values.recv (before ()) in
  assert (f 10 = 10 + before ())

let large_messages () =
  let text i = String.make (3_000_000 + i) (Char.chr (65 + i)) in
  for i = 0 to 4 do
    Values.send (next ()) (text i);
    Values.send (next ()) i
  done;
  for i = 0 to 4 do
    assert (String.equal (Values.recv (before ())) (text i));
    assert (Values.recv (before ()) = i)
  done

let many_tasks () =
  let talk tag () =
    for i = 1 to 50 do
      Values.send ~tag (next ()) (i * tag);
      assert (Values.recv ~tag (before ()) = i * tag)
    done
  in
  ignore (Drover.all (List.init 20 (fun tag -> talk tag)) : unit list)

(* No rank has left a barrier before the last has come to it. *)
let barriers () =
  for i = 1 to 5 do
    if rank () = i mod size () then Drover.sleep 0.02;
    let come = Unix.gettimeofday () in
    barrier ();
    let left = Unix.gettimeofday () in
    let last = Values.all_reduce ~combine:Float.max come in
    assert (left >= last)
  done

let values () =
  let all = List.init (size ()) Fun.id in
  each_root (fun root ->
      assert (Values.broadcast ~root (fun () -> rank () * 10) = root * 10);
      let parts () = Array.init (size ()) (fun i -> (root, i)) in
      assert (Values.scatter ~root parts = (root, rank ()));
      let gathered = Values.gather ~root (string_of_int (rank ())) in
      let expected = if rank () = root then List.map string_of_int all else [] in
      assert (Array.to_list gathered = expected);
      let reduced = Values.reduce ~root ~combine:( @ ) [ rank () ] in
      assert (reduced = if rank () = root then Some all else None));
  assert (Array.to_list (Values.all_gather (rank ())) = all);
  assert (Values.all_reduce ~combine:( @ ) [ rank () ] = all);
  let mine = Array.init (size ()) (fun i -> (rank (), i)) in
  assert (Values.all_to_all mine = Array.init (size ()) (fun i -> (i, rank ())))

(* Arrays on both sides of the length from which they are not copied. *)
let lengths = [ 0; 1; 7; 256; 257; 10_000 ]
let arrays : (Numbers.t * (int -> int)) list ref = ref []
let keep t get = arrays := (t, get) :: !arrays; t [@@ocamlformat "disable"]
let get t i = (List.assq t !arrays) i

let floats n f =
  let a = Array.init n (fun i -> float (f i)) in
  keep (Numbers.floats a) (fun i -> int_of_float a.(i))

let big kind of_int to_int n f =
  let a = Bigarray.Array1.init kind C_layout n (fun i -> of_int (f i)) in
  keep (Numbers.bigarray a) (fun i -> to_int a.{i})

let makers =
  [
    floats;
    big Float64 float int_of_float;
    big Float32 float int_of_float;
    big Int32 Int32.of_int Int32.to_int;
    big Int64 Int64.of_int Int64.to_int;
    big Int Fun.id Fun.id;
  ]

let check t n f =
  for i = 0 to n - 1 do
    assert (get t i = f i)
  done

let of_kind make n =
  arrays := [];
  let p = size () and r = rank () in
  let mine k i = (k * 100) + (i mod 10) in
  let into n = make n (fun _ -> -1) in
  let got = into n in
  Drover.both
    (fun () -> Numbers.send (next ()) (make n (mine r)))
    (fun () -> Numbers.recv (before ()) got)
  |> fun ((), ()) ->
  check got n (mine (before ()));
  each_root (fun root ->
      let t = make n (mine r) in
      Numbers.broadcast ~root t;
      check t n (mine root);
      let from = make (if r = root then n * p else 0) (fun i -> i) and part = into n in
      Numbers.scatter ~root from part;
      check part n (fun i -> (r * n) + i);
      let whole = into (if r = root then n * p else 0) in
      Numbers.gather ~root (make n (mine r)) whole;
      if r = root then check whole (n * p) (fun i -> mine (i / n) (i mod n));
      let sum = into n in
      Numbers.reduce ~root Sum (make n (mine r)) sum;
      if r = root then check sum n (fun i -> (100 * p * (p - 1) / 2) + (p * (i mod 10))));
  let whole = into (n * p) in
  Numbers.all_gather (make n (mine r)) whole;
  check whole (n * p) (fun i -> mine (i / n) (i mod n));
  let reduced op =
    let t = into n in
    Numbers.all_reduce op (make n (mine r)) t;
    t
  in
  check (reduced Max) n (mine (p - 1));
  check (reduced Min) n (mine 0);
  let product = into n in
  Numbers.all_reduce Product (make n (fun _ -> r + 1)) product;
  check product n (fun _ -> List.fold_left ( * ) 1 (List.init p succ));
  let exchanged = into (n * p) in
  Numbers.all_to_all (make (n * p) (fun i -> (r * 1000) + (i / Int.max 1 n))) exchanged;
  check exchanged (n * p) (fun i -> (i / n * 1000) + r)

let numbers () = List.iter (fun make -> List.iter (of_kind make) lengths) makers

(* They cannot be reduced, but sent. *)
let bytes () =
  let a = Bigarray.Array1.init Char C_layout 10 (fun _ -> Char.chr (rank () + 65)) in
  Numbers.broadcast ~root:(size () - 1) (Numbers.bigarray a);
  assert (a.{9} = Char.chr (size () + 64));
  match Numbers.all_reduce Sum (Numbers.bigarray a) (Numbers.bigarray a) with
  | () -> assert false
  | exception Invalid_argument _ -> ()

let misuse () =
  let refuses f = match f () with () -> false | exception Invalid_argument _ -> true in
  assert (refuses (fun () -> Values.send (size ()) ()));
  assert (refuses (fun () -> Values.send ~tag:8192 0 ()));
  assert (refuses (fun () -> Values.send 0 (Mutex.create ())));
  assert (
    refuses (fun () -> ignore (Values.scatter ~root:(rank ()) (fun () -> [||]))) || size () = 0);
  let a = Numbers.floats [| 1. |] and b = Numbers.floats [| 1.; 2.; 3. |] in
  assert (refuses (fun () -> Numbers.all_reduce Sum a b));
  assert (refuses (fun () -> Numbers.all_gather a b))

let outside =
  {
    Ranks.name = "outside of everywhere";
    play =
      (fun () ->
        run ~domains:1 (fun () ->
            match barrier () with
            | () -> assert false
            | exception Invalid_argument _ -> print_string Ranks.fine));
  }

(* While a task waits for another rank, the other tasks of its rank go on, on the same domain: rank 0
   comes to the barrier only when they have come to their ends. *)
let waits_suspend () =
  let other () =
    for _ = 1 to 20 do
      Drover.sleep 0.001
    done;
    if rank () > 0 then Values.send 0 ()
  in
  let wait () =
    if rank () = 0 then
      for other = 1 to size () - 1 do
        (Values.recv other : unit)
      done;
    barrier ()
  in
  ignore (Drover.both wait other : unit * unit)

let scenes =
  [
    scene "messages" messages;
    scene "large messages" large_messages;
    scene "messages of many tasks" many_tasks;
    scene "barriers" barriers;
    scene "collectives of values" values;
    scene "collectives of numbers" numbers;
    scene "numbers that cannot be reduced" bytes;
    scene "misuse" misuse;
    outside;
    scene "waits suspend" waits_suspend;
  ]

let cases = Ranks.cases scenes

let () =
  Ranks.main scenes @@ fun () ->
  let of_mpi =
    if Lazy.force Launcher.is_there then
      [ ("MPI", cases Mpi ~ranks:2); ("MPI, 5 ranks", cases Mpi ~ranks:5) ]
    else []
  in
  Alcotest.run "collectives"
    (("processes", cases Processes ~ranks:5) :: ("one rank", cases Processes ~ranks:1) :: of_mpi)
