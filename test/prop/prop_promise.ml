(* What follows from promises, against when each is settled in a serial program, and with what. *)

open Test_support
open QCheck2
module Promise = Drover.Promise

exception Failed of int

type tree =
  | Leaf of (int, int) result
  | Map of tree
  | Both of tree * tree
  | All of tree list
  | Any of tree list

let rec print = function
  | Leaf (Ok v) -> Printf.sprintf "%d" v
  | Leaf (Error e) -> Printf.sprintf "!%d" e
  | Map t -> Printf.sprintf "map %s" (print t)
  | Both (t, u) -> Printf.sprintf "(%s, %s)" (print t) (print u)
  | All ts -> Printf.sprintf "all [%s]" (String.concat "; " (List.map print ts))
  | Any ts -> Printf.sprintf "any [%s]" (String.concat "; " (List.map print ts))

let gen =
  let open Gen in
  let leaf =
    oneof_weighted
      [ (4, map (fun v -> Leaf (Ok v)) (0 -- 99)); (1, map (fun e -> Leaf (Error e)) (0 -- 99)) ]
  in
  let tree =
    fix
      (fun self n ->
        if n = 0 then leaf
        else
          let below = self (n - 1) in
          oneof
            [
              leaf;
              map (fun t -> Map t) below;
              map2 (fun t u -> Both (t, u)) below below;
              map (fun ts -> All ts) (list_size (0 -- 3) below);
              map (fun ts -> Any ts) (list_size (1 -- 3) below);
            ])
      4
  in
  pair tree (0 -- 1_000_000)

(* Some are settled by [f] itself with a failure. *)
let f v = if v mod 7 = 0 then raise (Failed v) else v + 1
let pair (v, w) = (31 * v) + w
let sum = List.fold_left (fun sum v -> (3 * sum) + v) 1

(* The promise of a tree, and what settles its leaves, in any order. *)
let rec promise leaves = function
  | Leaf outcome ->
      let p, r = Promise.create () in
      let settle () =
        match outcome with Ok v -> Promise.fulfil r v | Error e -> Promise.fail r (Failed e)
      in
      leaves := settle :: !leaves;
      p
  | Map t -> Promise.map f (promise leaves t)
  | Both (t, u) ->
      let p = promise leaves t in
      Promise.map pair (Promise.both p (promise leaves u))
  | All ts -> Promise.map sum (Promise.all (List.map (promise leaves) ts))
  | Any ts -> Promise.any (List.map (promise leaves) ts)

(* Those of the same moment in their order. *)
let by_time outcomes = List.stable_sort (fun (t, _) (u, _) -> Int.compare t u) outcomes

(* When a tree is settled, where that of each leaf is the next of [times], and with what. *)
let rec expected times = function
  | Leaf outcome -> (times (), outcome)
  | Map t -> (
      match expected times t with
      | time, Ok v -> (time, try Ok (f v) with Failed e -> Error e)
      | failed -> failed)
  | Both (t, u) -> together times (function [ v; w ] -> pair (v, w) | _ -> assert false) [ t; u ]
  | All ts -> together times sum ts
  | Any ts -> (
      let outcomes = by_time (List.map (expected times) ts) in
      match List.find_opt (fun (_, outcome) -> Result.is_ok outcome) outcomes with
      | Some first -> first
      | None -> (fst (List.nth outcomes (List.length outcomes - 1)), snd (List.hd outcomes)))

and together times combine ts =
  let outcomes = List.map (expected times) ts in
  match List.find_opt (fun (_, outcome) -> Result.is_error outcome) (by_time outcomes) with
  | Some first -> first
  | None ->
      let values = List.map (fun (_, outcome) -> Result.get_ok outcome) outcomes in
      ( List.fold_left (fun latest (time, _) -> Int.max latest time) (-1) outcomes,
        Ok (combine values) )

let seen p =
  match Promise.peek p with
  | None -> None
  | Some (Ok v) -> Some (Ok v)
  | Some (Error (Failed e, _)) -> Some (Error e)
  | Some (Error _) -> assert false (* they all are *)

let shuffled seed n =
  let order = Array.init n Fun.id in
  Array.shuffle ~rand:(Random.State.int (Random.State.make [| seed |])) order;
  order

(* One leaf after the other: each promise is settled when it must be, and not before. *)
let in_turn (tree, seed) =
  let leaves = ref [] in
  let p = promise leaves tree in
  let leaves = Array.of_list (List.rev !leaves) in
  let order = shuffled seed (Array.length leaves) in
  let times = Array.make (Array.length leaves) 0 in
  Array.iteri (fun time leaf -> times.(leaf) <- time) order;
  let next = ref (-1) in
  let time () =
    incr next;
    times.(!next)
  in
  let settled_at, outcome = expected time tree in
  let is_right now = seen p = if now >= settled_at then Some outcome else None in
  is_right (-1)
  && Array.for_all Fun.id
       (Array.mapi
          (fun now leaf ->
            leaves.(leaf) ();
            is_right now)
          order)

let rec is_certain = function
  | Leaf _ -> true
  | Map t -> is_certain t
  | Both (t, u) -> is_certain t && is_certain u
  | All ts -> List.for_all is_certain ts
  | Any _ -> false

(* By tasks, in any order: all are settled, and values do not depend on the order. *)
let at_once (tree, seed) =
  Drover.run
    ~domains:(1 + (seed land 3))
    (fun () ->
      let leaves = ref [] in
      let p = promise leaves tree in
      Drover.Array.iter (fun settle -> settle ()) (Array.of_list !leaves);
      let outcome = match Drover.await p with v -> Ok v | exception Failed e -> Error e in
      (not (is_certain tree))
      ||
      match (outcome, snd (expected (fun () -> 0) tree)) with
      | Ok v, Ok w -> v = w
      | Error _, Error _ -> true
      | Ok _, Error _ | Error _, Ok _ -> false)

let show_all outcomes = String.concat "; " (List.map (fun outcome -> print (Leaf outcome)) outcomes)

(* Several settle one promise, each in its way, and others await it: one comes first, and all see what it brought. *)
let race_to_settle (outcomes, domains) =
  Drover.run ~domains (fun () ->
      let p, r = Promise.create () in
      let settle = function
        | Ok v -> Promise.try_fulfil r v
        | Error e -> Promise.try_fail r (Failed e)
      and see () = match Drover.await p with v -> Ok v | exception Failed e -> Error e in
      let await _ = Drover.async see and try_to outcome () = (settle outcome, outcome) in
      let awaiting = List.map await outcomes in
      let tried = Drover.all (List.map try_to outcomes) in
      let seen = List.map Drover.await awaiting in
      let firsts = List.map snd (List.filter fst tried) in
      let is_the_first outcome = Properties.agree show_all ~expected:firsts ~found:[ outcome ] in
      List.for_all is_the_first (see () :: seen))

let gen_race =
  let open Gen in
  let outcome = oneof [ map (fun v -> Ok v) (0 -- 9); map (fun e -> Error e) (0 -- 9) ] in
  pair (list_size (1 -- 20) outcome) (1 -- 4)

let print_race (outcomes, domains) = Printf.sprintf "%s on %d domains" (show_all outcomes) domains

let () =
  Promise.on_unawaited_failure (fun _ _ -> ());
  let print (tree, seed) = Printf.sprintf "%s, seed %d" (print tree) seed in
  Properties.run
    [
      Watchdog.property ~count:2_000 ~name:"promises settled in turn" ~print gen in_turn;
      Watchdog.property ~count:500 ~name:"promises settled at once" ~print gen at_once;
      Watchdog.property ~count:1_000 ~name:"a race to settle" ~print:print_race gen_race
        race_to_settle;
    ]
