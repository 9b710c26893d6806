(* What every map of Drover_batched must do, against Stdlib.Map: [Make] has the tests for one. *)

open Test_support
include Map_commands

(* Batches of every size that matters, over few or many keys. *)
type batches = { seed : int; keys : int; sizes : int list }

let print b =
  Printf.sprintf "seed = %d, keys = %d, sizes = %s" b.seed b.keys
    (String.concat ", " (List.map string_of_int b.sizes))

let gen =
  let open QCheck2.Gen in
  let size =
    oneof_weighted [ (4, int_range 0 20); (4, int_range 20 300); (1, int_range 300 5000) ]
  in
  map3
    (fun seed keys sizes -> { seed; keys; sizes })
    (int_range 0 1_000_000)
    (oneof_list [ 1; 3; 20; 300; 100_000 ])
    (list_size (int_range 1 6) size)

let random_cmd rng keys =
  let k = 1 + Random.State.int rng keys and v = Random.State.int rng 1000 in
  match Random.State.int rng 10 with
  | 0 -> Find k
  | 1 | 2 | 3 -> Insert (k, v)
  | 4 | 5 -> Add (k, v)
  | 6 | 7 -> Delete k
  | 8 -> Toggle (k, v)
  | _ -> if v < 300 then Refuse k else Toggle (k, v)

let pools = List.map (fun domains -> Drover.Pool.create ~domains ()) [ 1; 2; 4 ]

(* [f ()] from outside, and on each pool. *)
let everywhere f = List.for_all Fun.id (f () :: List.map (fun pool -> Drover.Pool.run pool f) pools)

let law ?(count = 20) name holds =
  Watchdog.property ~count ~name ~print gen (fun b -> everywhere (fun () -> holds b))

module Make (S : Subject) = struct
  let batches b =
    let rng = Random.State.make [| b.seed |] in
    List.map (fun size -> Array.init size (fun _ -> random_cmd rng b.keys)) b.sizes

  let failed op = match Op.result op with _ -> false | exception Refused -> true

  (* The model after an operation, which [may_fail] at its key; then it has no effect. *)
  let follow ~may_fail model cmd op =
    match (cmd, failed op) with
    | Refuse _, true -> model
    | Refuse _, false -> failwith "an update that raises has not failed"
    | _, true when may_fail (key cmd) -> model
    | _, true -> failwith ("failed: " ^ show cmd)
    | _, false when Op.result op <> Model.find_opt (key cmd) model ->
        failwith ("wrong result: " ^ show cmd)
    | _, false -> next cmd model

  let check t model =
    S.validate t;
    if S.bindings t <> Model.bindings model then failwith "wrong bindings";
    if S.length t <> Model.cardinal model then failwith "wrong length"

  (* [tick] counts while a batch is applied. The key 0 is always bound: so no key is taken in
     without a look at it. *)
  let run b ~tick ~may_fail =
    let armed = Atomic.make false in
    let t = S.create ~tick:(fun k -> if Atomic.get armed then tick k) () in
    let apply model cmds =
      let ops = Array.map op cmds in
      Atomic.set armed true;
      S.apply t ops;
      Atomic.set armed false;
      let model = Seq.fold_left2 (follow ~may_fail) model (Array.to_seq cmds) (Array.to_seq ops) in
      check t model;
      model
    in
    S.insert t 0 0;
    List.fold_left apply (Model.singleton 0 0) (batches b)

  let agrees b = Model.mem 0 (run b ~tick:ignore ~may_fail:(fun _ -> false))

  (* Some keys cannot be compared: their operations fail, and no others do. *)
  let poisoned b =
    let is_poison k = k > 0 && k mod 7 = 0 in
    let tick k = if is_poison k then raise Refused in
    not (Model.exists (fun k _ -> is_poison k) (run b ~tick ~may_fail:is_poison))

  (* A comparison fails now and then: each operation takes effect, or fails and does not. *)
  let shaky b =
    let calls = Atomic.make b.seed in
    let tick _ = if Atomic.fetch_and_add calls 1 mod 97 = 0 then raise Refused in
    Model.mem 0 (run b ~tick ~may_fail:(fun _ -> true))

  (* The operations of a batch, each by a task of its own; keys apart, so that the order does not
     matter. *)
  let singly b =
    let t = S.create ~tick:ignore () in
    let n = List.fold_left ( + ) 0 b.sizes in
    Drover.parallel_for ~start:1 ~finish:n (fun k ->
        S.insert t k k;
        if k mod 3 = 0 && not (S.delete t k) then failwith "deleted nothing";
        if not (S.add t (-k) k) then failwith "added nothing";
        if S.find t (-k) <> Some k then failwith "not found";
        S.update t (-k) (Option.map (fun v -> v + 1)));
    S.validate t;
    let rec expected k =
      if k > n then []
      else (-k, k + 1) :: (if k mod 3 = 0 then expected (k + 1) else (k, k) :: expected (k + 1))
    in
    S.bindings t = List.sort compare (expected 1)

  let batch_laws =
    [
      law (S.name ^ ": batches agree with Map") agrees;
      law (S.name ^ ": a comparison that raises fails its operation only") poisoned;
      law (S.name ^ ": a comparison that raises at times loses nothing else") shaky;
      law ~count:10 (S.name ^ ": single operations of many tasks") singly;
    ]

  module Spec = Map_spec.Make (S)
  module Agrees = Agree.Make (Spec)
  module Company = Strands.Make (Spec)

  let linearizable =
    let cmds = Spec.arb_cmd in
    [
      Agrees.sequential S.name;
      Agrees.domains ~count:40 S.name ~prefix:4 ~before:cmds ~one:cmds ~other:cmds;
      Company.tasks_and_threads S.name;
    ]

  let tests = batch_laws @ linearizable
end
