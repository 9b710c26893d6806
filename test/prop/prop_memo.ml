(* Drover.Memo on random graphs: a node's value is the sum of those that it needs, or a cycle, if it
   comes to one. All are asked for at once, in any order. *)

open Test_support
open QCheck2

type graph = { needs : int list array; domains : int; order : int }

let print g =
  let show i l = Printf.sprintf "%d: %s" i (String.concat " " (List.map string_of_int l)) in
  Printf.sprintf "%d domains, order %d; %s" g.domains g.order
    (String.concat "; " (Array.to_list (Array.mapi show g.needs)))

(* Most go down only, so that a few close cycles. *)
let gen =
  let open Gen in
  let* n = 1 -- 60 in
  let need i =
    oneof_weighted
      [
        (40, if i = 0 then return [] else map (fun k -> [ k ]) (0 -- (i - 1)));
        (1, map (fun k -> [ k ]) (0 -- (n - 1)));
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
      Watchdog.property ~count:300 ~name:"Memo" ~print gen law;
      Watchdog.property ~count:20 ~name:"Rng"
        ~print:Print.(pair int int)
        Gen.(pair (0 -- 1_000_000) (oneof [ 0 -- 10; 0 -- 3000 ]))
        same_numbers;
    ]
