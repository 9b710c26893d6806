(* A forest behind a gate. *)

type kind = Union | Find | Connected

(* [x] and [y] become the roots, once these are looked up. *)
type op = {
  kind : kind;
  first : int;
  second : int;
  mutable x : int;
  mutable y : int;
  mutable result : int;
}

(* Results are 0 or more. *)
let pending = -1
let missing = -2
let make kind first second = { kind; first; second; x = 0; y = 0; result = pending }
let union_op x y = make Union x y
let find_op x = make Find x x
let connected_op x y = make Connected x y
let no_element () = invalid_arg "Drover_batched.Union_find: there is no such element"

let result op =
  if op.result = pending then
    invalid_arg "Drover_batched.Union_find.result: the operation has not been applied"
  else if op.result = missing then no_element ()
  else op.result

type t = { forest : Forest.t; gate : op Gate.t }

let exists (forest : Forest.t) x = x >= 0 && x < forest.length

(* What is in one set stays in one set: such operations are settled now, except for a find, since
   the root may change. *)
let look (forest : Forest.t) op =
  if not (exists forest op.first && exists forest op.second) then op.result <- missing
  else begin
    op.x <- Forest.root forest.parents op.first;
    op.y <- (if op.second = op.first then op.x else Forest.root forest.parents op.second);
    op.result <- pending;
    if op.x = op.y then
      match op.kind with Union -> op.result <- 0 | Connected -> op.result <- 1 | Find -> ()
  end

let settle (forest : Forest.t) op =
  if op.result = pending then begin
    let x = Forest.root forest.parents op.x and y = Forest.root forest.parents op.y in
    match op.kind with
    | Find -> op.result <- x
    | Connected -> op.result <- Bool.to_int (x = y)
    | Union ->
        if x <> y then Forest.link forest x y;
        op.result <- Bool.to_int (x <> y)
  end

let process_one forest op =
  look forest op;
  settle forest op

let process forest ops =
  Drover.Array.iter (look forest) ops;
  Array.iter (settle forest) ops

let create ?pool n =
  if n < 0 then invalid_arg "Drover_batched.Union_find.create: n < 0";
  if n > Sys.max_array_length then
    invalid_arg "Drover_batched.Union_find.create: the length is too large";
  let forest = Forest.create n in
  let applied op = op.result <> pending in
  let is_short _ = true in
  let gate =
    Gate.create ?pool ~applied ~is_short ~one:(process_one forest) ~many:(process forest) ()
  in
  { forest; gate }

let submit t op =
  Gate.submit t.gate op;
  result op

let union t x y = submit t (union_op x y) = 1
let find t x = submit t (find_op x)
let connected t x y = submit t (connected_op x y) = 1
let apply t ops = Gate.alone t.gate (fun () -> process t.forest ops)

(* All are applied before the failure of one is raised. *)
let union_all t pairs =
  let unite () =
    let is_right (x, y) = exists t.forest x && exists t.forest y in
    let are_right = Drover.Array.for_all is_right pairs in
    Forest.unite_all t.forest (if are_right then pairs else Drover.Array.filter is_right pairs);
    are_right
  in
  if not (Gate.alone t.gate unite) then no_element ()

let connected_all t pairs =
  let ops = Fresh.map (fun (x, y) -> connected_op x y) pairs in
  apply t ops;
  Drover.Array.map (fun op -> result op = 1) ops

let add t = Gate.alone t.gate (fun () -> Forest.add t.forest)
let length t = Gate.alone t.gate (fun () -> t.forest.length)
let sets t = Gate.alone t.gate (fun () -> t.forest.sets)

let to_array t =
  Gate.alone t.gate (fun () -> Drover.Array.init t.forest.length (Forest.root t.forest.parents))

let validate t = Gate.alone t.gate (fun () -> Forest.validate t.forest)
let batch_sizes t = Gate.batch_sizes t.gate
