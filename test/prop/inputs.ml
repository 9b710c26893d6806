(* Inputs for the algorithms: arrays of every size that matters, and where to run. *)

open QCheck2

(* Nothing, next to nothing, around the powers of two that cutoffs and blocks are made of, and
   large. *)
let size =
  Gen.oneof_weighted
    [
      (3, Gen.int_range 0 3);
      (4, Gen.int_range 4 200);
      (3, Gen.map2 (fun power by -> (1 lsl power) + by) (Gen.int_range 6 14) (Gen.int_range (-2) 2));
      (1, Gen.int_range 4_000 40_000);
    ]

(* What an array is made from: its length, a seed, and how many different values there are. *)
type t = { n : int; seed : int; values : int }

let print i = Printf.sprintf "n = %d, seed = %d, values = %d" i.n i.seed i.values

let gen =
  Gen.map3
    (fun n seed values -> { n; seed; values })
    size (Gen.int_range 0 1_000_000)
    (Gen.oneof_list [ 1; 2; 10; 1000; 1_000_000_000 ])

let ints i =
  let rng = Random.State.make [| i.seed |] in
  let near_zero = i.values / 2 in
  Array.init i.n (fun _ -> Random.State.int rng i.values - near_zero)

(* Values with their places, to see what is stable. *)
let pairs i = Array.mapi (fun place x -> (x, place)) (ints i)
let by_value (x, _) (y, _) = Int.compare x y
let odd_floats = [| nan; -0.; 0.; infinity; neg_infinity; Float.neg nan; 1. |]

let floats i =
  let rng = Random.State.make [| i.seed |] in
  Array.init i.n (fun _ ->
      if Random.State.int rng 10 = 0 then odd_floats.(Random.State.int rng 7)
      else Float.of_int (Random.State.int rng i.values) /. 7.)

(* Not associative on floats; the answer must be one and the same all the same. *)
let hard_floats i =
  let rng = Random.State.make [| i.seed |] in
  Array.init i.n (fun _ -> Float.ldexp (Random.State.float rng 1.) (Random.State.int rng 60))

(* Each collection stops all domains, of which there are more than cores. *)
let () = Gc.set { (Gc.get ()) with space_overhead = 1000 }
let pools = List.map (fun domains -> Drover.Pool.create ~domains ()) [ 1; 2; 4 ]

(* [f ()] from outside, and on each pool. *)
let everywhere f = f () :: List.map (fun pool -> Drover.Pool.run pool f) pools
let property ?(count = 40) name holds = Test_support.Watchdog.property ~count ~name ~print gen holds

(* The law holds everywhere. *)
let law ?count name holds =
  property ?count name (fun i -> List.for_all Fun.id (everywhere (fun () -> holds i)))

let places =
  "outside" :: List.map (fun p -> Printf.sprintf "in a pool of %d" (Drover.Pool.size p)) pools

(* [f i] is [expected i] everywhere; a failure says where it is not, and what was expected and found if that can be
   shown. *)
let agrees ?count ?(show = fun _ -> "something else") name expected f =
  property ?count name (fun i ->
      let expected = expected i in
      let check place found =
        compare expected found = 0
        || QCheck2.Test.fail_reportf "%s@.expected %s@.found    %s" place (show expected)
             (show found)
      in
      List.for_all2 check places (everywhere (fun () -> f i)))

(* The first elements tell enough. *)
let show_ints a =
  let shown =
    List.map string_of_int (Array.to_list (Array.sub a 0 (Int.min 100 (Array.length a))))
  in
  Printf.sprintf "%d elements: %s" (Array.length a) (String.concat " " shown)

(* [f i] is the same everywhere. *)
let same_everywhere name f =
  property name (fun i ->
      match everywhere (fun () -> f i) with
      | first :: others -> List.for_all (fun r -> compare first r = 0) others
      | [] -> assert false (* it has run outside *))

exception Refused

(* [f] of a function that raises at some call; whether [Refused] came out. *)
let raising i f =
  let calls = Atomic.make 0 in
  let last = 1 + (i.seed mod (2 * (i.n + 1))) in
  let tick () = if Atomic.fetch_and_add calls 1 + 1 = last then raise Refused in
  match f tick with _ -> Atomic.get calls < last | exception Refused -> Atomic.get calls >= last

let after tick f x =
  tick ();
  f x

let is_permutation a b =
  let sorted a =
    let a = Array.copy a in
    Array.stable_sort compare a;
    a
  in
  compare (sorted a) (sorted b) = 0

(* A comparison that answers at random. *)
let inconsistent i =
  let state = Atomic.make i.seed in
  fun _ _ ->
    let x = Atomic.fetch_and_add state 0x9e3779b1 in
    (((x * 0x85ebca6b) lsr 13) mod 3) - 1
