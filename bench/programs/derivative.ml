(* The derivative of a big expression, simplified on the way. *)

type expr =
  | Num of int
  | Var of string
  | Add of expr * expr
  | Mul of expr * expr
  | Sin of expr
  | Cos of expr

let add a b =
  match (a, b) with
  | Num 0, e | e, Num 0 -> e
  | Num m, Num n -> Num (m + n)
  | _ -> Add (a, b)

let mul a b =
  match (a, b) with
  | Num 0, _ | _, Num 0 -> Num 0
  | Num 1, e | e, Num 1 -> e
  | Num m, Num n -> Num (m * n)
  | _ -> Mul (a, b)

let rec serial = function
  | Num _ -> Num 0
  | Var x -> Num (if x = "x" then 1 else 0)
  | Add (a, b) -> add (serial a) (serial b)
  | Mul (a, b) -> add (mul (serial a) b) (mul a (serial b))
  | Sin a -> mul (serial a) (Cos a)
  | Cos a -> mul (serial a) (mul (Num (-1)) (Sin a))

(* A step takes some ten nanoseconds, so there are forks near the root only: some thousand. *)
let forks_until = 12

let parallel both =
  let rec go depth = function
    | e when depth = forks_until -> serial e
    | Add (a, b) ->
        let a', b' =
          both (fun () -> go (depth + 1) a) (fun () -> go (depth + 1) b)
        in
        add a' b'
    | Mul (a, b) ->
        let a', b' =
          both (fun () -> go (depth + 1) a) (fun () -> go (depth + 1) b)
        in
        add (mul a' b) (mul a b')
    | Sin a -> mul (go (depth + 1) a) (Cos a)
    | Cos a -> mul (go (depth + 1) a) (mul (Num (-1)) (Sin a))
    | e -> serial e
  in
  go 0

let drover = parallel Drover.both
let domainslib pool = parallel (By_hand.both pool)

(* A random expression of [size] inner nodes. *)
let input size =
  let rng = Random.State.make [| size |] in
  let rec make size =
    if size = 0 then
      match Random.State.int rng 4 with
      | 0 -> Num (Random.State.int rng 10)
      | 1 -> Var "y"
      | _ -> Var "x"
    else
      let left = (size - 1) * (30 + Random.State.int rng 40) / 100 in
      match Random.State.int rng 8 with
      | 0 -> Sin (make (size - 1))
      | 1 -> Cos (make (size - 1))
      | 2 | 3 | 4 -> Mul (make left, make (size - 1 - left))
      | _ -> Add (make left, make (size - 1 - left))
  in
  make size

let rec size = function
  | Num _ | Var _ -> 1
  | Add (a, b) | Mul (a, b) -> 1 + size a + size b
  | Sin a | Cos a -> 1 + size a

let kernel =
  Program.kernel ~name:"derivative" ~doc:"derivative of a big expression"
    ~sizes:(2_000, 1_000_000, 4_000_000)
    ~about:(Printf.sprintf "%d operators")
    ~input
    ~show:(fun e -> Printf.sprintf "%d nodes" (size e))
    ~serial ~drover ~domainslib ()
