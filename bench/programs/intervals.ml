(* Interval analysis: which values may each variable of a function have, at each of its lines? What is
   known at a line is a persistent map, which the lines share. *)

type var = string
type operand = Const of int | Of of var

(* [Less (x, c, l)] goes to the line [l] if [x < c], and else on to the next one. *)
type line =
  | Set of var * operand
  | Add of var * operand * operand
  | Less of var * int * int
  | Stop

module Known = Map.Make (String)

type interval = { low : int; high : int }

let lowest = -1_000_000
let highest = 1_000_000

let clamp { low; high } =
  { low = Int.max low lowest; high = Int.min high highest }

let anything = { low = lowest; high = highest }

let value known = function
  | Const c -> { low = c; high = c }
  | Of x -> Option.value (Known.find_opt x known) ~default:anything

let join =
  Known.merge (fun _ a b ->
      match (a, b) with
      | Some a, Some b ->
          Some { low = Int.min a.low b.low; high = Int.max a.high b.high }
      | _ -> None)

(* A bound that has moved goes as far as it can, so that loops come to an end. *)
let widen =
  Known.merge (fun _ a b ->
      match (a, b) with
      | Some a, Some b ->
          let low = if b.low < a.low then lowest else a.low in
          let high = if b.high > a.high then highest else a.high in
          Some { low; high }
      | _ -> None)

let at_most known x high =
  let i = value known (Of x) in
  Known.add x { i with high = Int.min i.high high } known

let at_least known x low =
  let i = value known (Of x) in
  Known.add x { i with low = Int.max i.low low } known

(* The lines that come after line [l], and what is known there. *)
let step code l known =
  match code.(l) with
  | Set (x, a) -> [ (l + 1, Known.add x (value known a) known) ]
  | Add (x, a, b) ->
      let a = value known a and b = value known b in
      [
        ( l + 1,
          Known.add x
            (clamp { low = a.low + b.low; high = a.high + b.high })
            known );
      ]
  | Less (x, c, target) ->
      [ (target, at_most known x (c - 1)); (l + 1, at_least known x c) ]
  | Stop -> []

let analyse code =
  let at = Array.make (Array.length code) None in
  let rec visit (l, known) =
    match at.(l) with
    | None -> enter l known
    | Some before ->
        let wider = widen before (join before known) in
        if not (Known.equal ( = ) before wider) then enter l wider
  and enter l known =
    at.(l) <- Some known;
    List.iter visit (step code l known)
  in
  visit (0, Known.empty);
  Option.value at.(Array.length code - 1) ~default:Known.empty

let serial functions = Array.map analyse functions
let drover functions = Drover.Array.map analyse functions

let domainslib pool functions =
  By_hand.init pool (Array.length functions) (fun i ->
      analyse functions.(i))

(* Functions with loops, some ten times as long as others. *)
let code i =
  let rng = Random.State.make [| i |] in
  let n = 20 + Random.State.int rng 200 in
  let var () = Printf.sprintf "v%d" (Random.State.int rng 30) in
  let operand () =
    if Random.State.bool rng then Of (var ())
    else Const (Random.State.int rng 100)
  in
  let line l =
    if l = n - 1 then Stop
    else
      match Random.State.int rng 10 with
      | 0 -> Less (var (), Random.State.int rng 100, Random.State.int rng n)
      | 1 | 2 | 3 -> Set (var (), operand ())
      | _ -> Add (var (), operand (), operand ())
  in
  Array.init n line

let check ~expected found =
  if Array.for_all2 (Known.equal ( = )) expected found then Ok ()
  else Error "the intervals differ"

let kernel =
  Program.kernel ~name:"intervals"
    ~doc:"interval analysis of many functions, on persistent maps"
    ~sizes:(20, 2_000, 10_000)
    ~about:(Printf.sprintf "%d functions")
    ~input:(fun n -> Array.init n code)
    ~check
    ~show:(fun a ->
      Printf.sprintf "%d variables known"
        (Array.fold_left (fun n k -> n + Known.cardinal k) 0 a))
    ~serial ~drover ~domainslib ()
