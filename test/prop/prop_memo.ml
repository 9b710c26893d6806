(* Drover.Memo on random graphs: a node's value is the sum of those that it needs, or a cycle, if it
   comes to one. All are asked for at once, in any order. *)

open Test_support
open QCheck2

type graph = { needs : int list array; domains : int; order : int }

let print g =
  let show i l = Printf.sprintf "%d: %s" i (String.concat " " (List.map string_of_int l)) in
  Printf.sprintf "%d domains, order %d; %s" g.domains g.order
    (String.concat "; " (Array.to_list (Array.mapi show g.needs)))

(* Most go down only, so that a few close cycles; or only [down] in 41. *)
let gen ?(most = 60) down =
  let open Gen in
  let* n = 1 -- most in
  let need i =
    oneof_weighted
      [
        (down, if i = 0 then return [] else map (fun k -> [ k ]) (0 -- (i - 1)));
        (41 - down, map (fun k -> [ k ]) (0 -- (n - 1)));
      ]
  in
  let node i = map List.concat (list_size (0 -- 4) (need i)) in
  let* needs = flatten_array (Array.init n node) in
  let* domains = oneof_list [ 1; 2; 4; 8 ] in
  let+ order = 0 -- 1000 in
  { needs; domains; order }

(* By rounds: a node has a value when all that it needs have; what is left comes to a cycle. *)
let expected g =
  let values = Array.make (Array.length g.needs) None in
  let value i =
    let sum acc k = Option.bind acc (fun acc -> Option.map (( + ) acc) values.(k)) in
    List.fold_left sum (Some 1) g.needs.(i)
  in
  for _ = 0 to Array.length values do
    Array.iteri (fun i v -> if v = None then values.(i) <- value i) values
  done;
  values

let computed g =
  let n = Array.length g.needs and calls = Atomic.make 0 in
  let compute get i =
    Atomic.incr calls;
    if i land 3 = 0 then Drover.await (Drover.async ignore);
    1 + List.fold_left ( + ) 0 (Drover.all (List.map (fun k () -> get k) g.needs.(i)))
  in
  let table = Drover.Memo.create compute in
  let get k =
    match Drover.Memo.get table ((k + g.order) mod n) with
    | v -> Some v
    | exception Drover.Memo.Cycle -> None
  in
  Drover.run ~domains:g.domains (fun () ->
      let found = Drover.Array.init n get in
      let values = Array.init n (fun i -> found.((i + n - (g.order mod n)) mod n)) in
      let looks = Array.init n (Drover.Memo.find_opt table) in
      (values, looks, Atomic.get calls))

let law g =
  let values, looks, calls = computed g in
  values = expected g
  && looks = values
  && calls >= Array.length g.needs
  && (Array.exists Option.is_none values || calls = Array.length g.needs)

(* With a bound *)

type look = Get of int | Find of int

let print_looks (bound, looks) =
  let show = function Get k -> Printf.sprintf "get %d" k | Find k -> Printf.sprintf "find %d" k in
  Printf.sprintf "bound %d: %s" bound (String.concat ", " (List.map show looks))

let gen_looks =
  let open Gen in
  let key = 0 -- 12 in
  let look = oneof_weighted [ (4, map (fun k -> Get k) key); (1, map (fun k -> Find k) key) ] in
  pair (1 -- 8) (list_size (0 -- 200) look)

(* Some fail, and these failures are results; some compute others on the way. *)
let value get k =
  if k mod 5 = 4 then raise (Invalid_argument "") else if k mod 5 = 3 then get (k - 2) + 1 else k

(* The second chance, in a serial program: keys in their places, and the hand. *)
module Second_chance = struct
  type t = { keys : (int * bool ref) option array; mutable hand : int; calls : int ref }

  let create bound calls = { keys = Array.make bound None; hand = 0; calls }
  let is k = function Some (key, _) -> key = k | None -> false
  let place t k = Array.find_index (is k) t.keys

  let use t k =
    match Option.bind (place t k) (fun i -> t.keys.(i)) with
    | Some (_, used) -> used := true
    | None -> ()

  let rec add t k =
    let i = t.hand in
    t.hand <- (i + 1) mod Array.length t.keys;
    match t.keys.(i) with
    | Some (_, ({ contents = true } as used)) ->
        used := false;
        add t k
    | Some _ | None -> t.keys.(i) <- Some (k, ref false)

  let rec get t k =
    if Option.is_some (place t k) then begin
      use t k;
      value (fun k -> k) k
    end
    else begin
      incr t.calls;
      match value (get t) k with
      | v ->
          add t k;
          v
      | exception e ->
          add t k;
          raise e
    end

  let find t k =
    if Option.is_none (place t k) then None
    else
      match value Fun.id k with
      | v ->
          use t k;
          Some v
      | exception Invalid_argument _ -> None
end

let follows_the_clock (bound, looks) =
  Drover.run ~domains:1 @@ fun () ->
  let calls = ref 0 and expected = ref 0 in
  let table =
    Drover.Memo.create ~bound (fun get k ->
        incr calls;
        value get k)
  and clock = Second_chance.create bound expected in
  let outcome f k = match f k with v -> Some v | exception Invalid_argument _ -> None in
  let agrees = function
    | Get k ->
        outcome (Drover.Memo.get table) k = outcome (Second_chance.get clock) k
        && !calls = !expected
    | Find k -> Drover.Memo.find_opt table k = Second_chance.find clock k
  in
  List.for_all agrees looks && List.for_all (fun k -> agrees (Find k)) (List.init 13 Fun.id)

(* All values are right, however they are computed, and when all has ended no more are kept. *)
let is_bounded (bound, domains, seed) =
  Drover.run ~domains (fun () ->
      let table =
        Drover.Memo.create ~bound
          ~hash:(fun k -> k land 63)
          (fun get k ->
            if k land 7 = 0 then Drover.await (Drover.async ignore);
            if k >= 100 then get (k - 100) + 1 else k)
      in
      let keys =
        let random = Random.State.make [| seed |] in
        Array.init 2_000 (fun _ -> Random.State.int random 300)
      in
      let right k = Drover.Memo.get table k = (k mod 100) + (k / 100) in
      let is_kept k = Option.is_some (Drover.Memo.find_opt table k) in
      Array.for_all Fun.id (Drover.Array.map right keys)
      && List.length (List.filter is_kept (List.init 300 Fun.id)) <= bound)

(* Numbers *)

module R = Drover.Rng

let same_numbers (seed, n) =
  let draw rng i = (i, Random.State.bits rng) in
  let rng () = Random.State.make [| seed |] in
  let all domains =
    Drover.run ~domains (fun () ->
        let a = R.init (rng ()) n draw in
        let b = Array.make n (0, 0) in
        R.iter (rng ()) n (fun rng i -> b.(i) <- draw rng i);
        let c = R.reduce (rng ()) n ~init:[] ~combine:( @ ) (fun rng i -> [ draw rng i ]) in
        (a, b, Array.of_list c))
  in
  let ((a, b, c) as first) = all 1 in
  a = b && b = c
  && Array.for_all2 (fun (i, _) k -> i = k) a (Array.init n Fun.id)
  && List.for_all (fun domains -> all domains = first) [ 2; 4; 8 ]

let () =
  Properties.run
    [
      Watchdog.property ~count:300 ~name:"Memo" ~print (gen 40) law;
      Watchdog.property ~count:600 ~name:"Memo, many cycles" ~print (gen ~most:12 30) law;
      Watchdog.property ~count:1_000 ~name:"Memo with a bound, 1 domain" ~print:print_looks
        gen_looks follows_the_clock;
      Watchdog.property ~count:60 ~name:"Memo with a bound"
        ~print:Print.(triple int int int)
        Gen.(triple (oneof [ 1 -- 3; 1 -- 100 ]) (oneof_list [ 1; 2; 4 ]) (0 -- 1_000_000))
        is_bounded;
      Watchdog.property ~count:20 ~name:"Rng"
        ~print:Print.(pair int int)
        Gen.(pair (0 -- 1_000_000) (oneof [ 0 -- 10; 0 -- 3000 ]))
        same_numbers;
    ]
