(* What a program must do, from its text alone. *)

open Program

(* A part that fails may fail with any of its failures: the first in time. *)
type outcome = Value of int list | Fails of int list

let caught = -1 (* the value of a failure that was caught *)
let start = -2 (* the initial value of a reduction *)

let join outcomes ~value =
  let failures = List.concat_map (function Fails ids -> ids | Value _ -> []) outcomes in
  let values = List.concat_map (function Fails _ -> [] | Value v -> v) outcomes in
  if failures = [] then Value (value values) else Fails failures

let rec outcome = function
  | Leaf { id; fails; _ } -> if fails then Fails [ id ] else Value [ id ]
  | Both (a, b) | Async (a, b) -> join [ outcome a; outcome b ] ~value:Fun.id
  | All ts -> join (List.map outcome ts) ~value:Fun.id
  | For (_, ts) -> join (List.map outcome ts) ~value:(fun _ -> [])
  | Reduce (_, ts) -> join (List.map outcome ts) ~value:(fun ids -> start :: ids)
  | Catch t -> ( match outcome t with Fails _ -> Value [ caught ] | Value _ as v -> v)
  | Later t | Run (_, t) | Thread t -> outcome t

(* The leaves that nothing may skip: no part around them fails. *)
let certain program =
  let rec go t ids =
    match t with
    | Leaf { id; fails; _ } -> if fails then ids else id :: ids
    | Catch t -> inside t ids
    | Both (a, b) | Async (a, b) -> within t [ a; b ] ids
    | All ts | For (_, ts) | Reduce (_, ts) -> within t ts ids
    | Later t | Run (_, t) | Thread t -> inside t ids
  and inside t ids = match outcome t with Fails _ -> ids | Value _ -> go t ids
  and within whole parts ids =
    match outcome whole with Fails _ -> ids | Value _ -> List.fold_left (Fun.flip go) ids parts
  in
  inside program []
