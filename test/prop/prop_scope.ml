(* Random trees of scopes, forks and loops, whose parts fail, are caught, wait and are protected: the
   outcome is one that a sequential evaluation allows, and all that has started has ended. *)

open Test_support
open Drover
open Stdlib

type tree =
  | Value of int
  | Fail of int
  | Wait of tree
  | Catch of tree
  | Protect of tree
  | In_time of tree
  | Both of tree * tree
  | All of tree list
  | Loop of tree list
  | Scope of tree list (* tasks, whose results the body awaits *)
  | Spawned of tree list (* tasks that are not awaited, each of which adds its result *)

(* What a tree may come to. *)
module Outcomes = Set.Make (struct
  type t = (int, int) result

  let compare = compare
end)

let of_failure n = n mod 3

(* In parallel any failure may be the first. Without one, the values are added. *)
let rec outcomes = function
  | Value v -> Outcomes.singleton (Ok v)
  | Fail n -> Outcomes.singleton (Error n)
  | Wait t | Protect t | In_time t -> outcomes t
  | Catch t -> Outcomes.map (function Error n -> Ok (of_failure n) | ok -> ok) (outcomes t)
  | Both (a, b) -> together [ a; b ]
  | All ts | Loop ts | Scope ts | Spawned ts -> together ts

and together ts =
  let parts = List.map outcomes ts in
  let errors =
    Outcomes.filter Result.is_error (List.fold_left Outcomes.union Outcomes.empty parts)
  in
  let add sums part =
    let values = List.filter_map Result.to_option (Outcomes.elements part) in
    List.sort_uniq compare (List.concat_map (fun v -> List.map (( + ) v) values) sums)
  in
  let sums = List.fold_left add [ 0 ] parts in
  List.fold_left (fun all sum -> Outcomes.add (Ok sum) all) errors sums

exception Failed of int

type counts = { started : int Atomic.t; ended : int Atomic.t }

let sum = List.fold_left ( + ) 0

let rec run counts tree =
  Atomic.incr counts.started;
  Fun.protect (fun () -> call counts tree) ~finally:(fun () -> Atomic.incr counts.ended)

and call counts tree =
  let later t () = run counts t in
  match tree with
  | Value v -> v
  | Fail n -> raise (Failed n)
  | Wait t ->
      await (async ignore);
      run counts t
  | Catch t -> ( try run counts t with Failed n -> of_failure n)
  | Protect t -> Scope.protect (later t)
  | In_time t -> Scope.with_timeout 3600. (later t)
  | Both (a, b) ->
      let a, b = both (later a) (later b) in
      a + b
  | All ts -> sum (all (List.map later ts))
  | Loop ts ->
      let ts = Array.of_list ts in
      let finish = Array.length ts - 1 in
      parallel_reduce ~start:0 ~finish ~init:0 ~combine:( + ) (fun i -> run counts ts.(i))
  | Scope ts ->
      Scope.run (fun s -> sum (List.map await (List.map (fun t -> Scope.async s (later t)) ts)))
  | Spawned ts ->
      let total = Atomic.make 0 in
      let add t () = ignore (Atomic.fetch_and_add total (run counts t) : int) in
      Scope.run (fun s -> List.iter (fun t -> Scope.spawn s (add t)) ts);
      Atomic.get total

let rec print = function
  | Value v -> string_of_int v
  | Fail n -> Printf.sprintf "Fail %d" n
  | Wait t -> "Wait " ^ print_in t
  | Catch t -> "Catch " ^ print_in t
  | Protect t -> "Protect " ^ print_in t
  | In_time t -> "In_time " ^ print_in t
  | Both (a, b) -> "Both " ^ print_all [ a; b ]
  | All ts -> "All " ^ print_all ts
  | Loop ts -> "Loop " ^ print_all ts
  | Scope ts -> "Scope " ^ print_all ts
  | Spawned ts -> "Spawned " ^ print_all ts

and print_in t = "(" ^ print t ^ ")"
and print_all ts = "[" ^ String.concat "; " (List.map print ts) ^ "]"

let gen =
  let open QCheck2.Gen in
  let leaf =
    oneof_weighted
      [ (4, map (fun v -> Value v) (int_bound 2)); (1, map (fun n -> Fail n) (int_bound 9)) ]
  in
  let inner self n =
    let one make = map make (self (n - 1)) in
    let few make = map make (list_size (int_range 1 4) (self (n - 1))) in
    oneof_weighted
      [
        (1, leaf);
        (2, one (fun t -> Wait t));
        (2, one (fun t -> Catch t));
        (1, one (fun t -> Protect t));
        (1, one (fun t -> In_time t));
        (2, map2 (fun a b -> Both (a, b)) (self (n - 1)) (self (n - 1)));
        (1, few (fun ts -> All ts));
        (1, few (fun ts -> Loop ts));
        (1, few (fun ts -> Scope ts));
        (1, few (fun ts -> Spawned ts));
      ]
  in
  int_range 1 4 >>= fix (fun self n -> if n = 0 then leaf else inner self n)

let is_failure = function Failed _, _ -> true | _ -> false

let outcome counts tree =
  match run counts tree with
  | v -> Ok v
  | exception (Failed n as e) ->
      if not (List.for_all is_failure (Scope.suppressed e)) then failwith "what is attached";
      Error n

let agrees pool tree =
  let counts = { started = Atomic.make 0; ended = Atomic.make 0 } in
  Pool.run pool (fun () ->
      let found = outcome counts tree in
      Atomic.get counts.started = Atomic.get counts.ended && Outcomes.mem found (outcomes tree))

(* The first success: one of them, and whatever fails or never ends beside it. Without one, each
   failure is raised, or suppressed by the one that is. *)

type racer = { waits : int; ends : (int, int) result option (* it may never end *) }

let start { waits; ends } () =
  for _ = 1 to waits do
    await (async ignore)
  done;
  match ends with
  | Some (Ok v) -> v
  | Some (Error n) -> raise (Failed n)
  | None -> await (fst (Promise.create ()))

let race racers =
  match Scope.any (List.map start racers) with
  | v -> Ok v
  | exception e -> Error (List.sort compare (e :: List.map fst (Scope.suppressed e)))

let is_right racers found =
  let ends = List.filter_map (fun r -> r.ends) racers in
  match found with
  | Ok v -> List.mem (Ok v) ends
  | Error failures ->
      let expected = List.map (function Ok _ -> Exit | Error n -> Failed n) ends in
      List.sort compare expected = failures

(* All that end, in order. *)
let settled racers =
  let ending = List.filter (fun r -> Option.is_some r.ends) racers in
  let outcome = function
    | Error (Failed n, _) -> Error n
    | Error (e, _) -> raise e
    | Ok v -> Ok v
  in
  List.map outcome (all_settled (List.map start ending)) = List.filter_map (fun r -> r.ends) ending

let racers =
  let open QCheck2.Gen in
  let racer ends =
    let* waits = int_bound 3 in
    let+ ends = ends in
    { waits; ends }
  in
  let success = map Result.ok (int_bound 100) and failure = map Result.error (int_bound 100) in
  let failures = list_size (int_range 1 8) (racer (map Option.some failure))
  and mixed = list_size (int_bound 8) (racer (option (oneof [ success; failure ]))) in
  let* one = racer (map Option.some success) in
  oneof [ failures; bind mixed (fun others -> shuffle_list (one :: others)) ]

let print_racer { waits; ends } =
  let ends =
    match ends with
    | None -> "never ends"
    | Some (Ok v) -> string_of_int v
    | Some (Error n) -> Printf.sprintf "Fail %d" n
  in
  Printf.sprintf "%d waits, %s" waits ends

let any domains =
  let pool = Pool.create ~domains () in
  let name = Printf.sprintf "any and all settled, %d domains" domains in
  Watchdog.property ~count:500 ~name ~print:(QCheck2.Print.list print_racer) racers (fun racers ->
      Pool.run pool (fun () -> is_right racers (race racers) && settled racers))

let property domains =
  let pool = Pool.create ~domains () in
  let name = Printf.sprintf "scopes, %d domains" domains in
  Watchdog.property ~count:1000 ~name ~print gen (fun tree ->
      List.for_all (fun _ -> agrees pool tree) [ 1; 2; 3 ])

let () = Properties.run (List.concat_map (fun n -> [ property n; any n ]) [ 1; 2; 4; 8 ])
