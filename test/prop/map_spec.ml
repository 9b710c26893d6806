(* A map beside Stdlib.Map: single operations, batches that are handed in, and looks at all of it. *)

open Map_commands

type command = One of cmd | All of cmd list | Length | Bindings

module Make (S : Subject) = struct
  type cmd = command
  type state = int Model.t
  type sut = S.t

  let show_cmd = function
    | One cmd -> show cmd
    | All cmds -> Printf.sprintf "All [%s]" (String.concat "; " (List.map show cmds))
    | Length -> "Length"
    | Bindings -> "Bindings"

  let arb_cmd _ =
    let open QCheck.Gen in
    let k = int_range 1 4 and v = int_range 1 9 in
    let one =
      oneof_weighted
        [
          (2, map (fun k -> Find k) k);
          (3, map2 (fun k v -> Insert (k, v)) k v);
          (2, map2 (fun k v -> Add (k, v)) k v);
          (2, map (fun k -> Delete k) k);
          (1, map2 (fun k v -> Toggle (k, v)) k v);
          (1, map (fun k -> Refuse k) k);
        ]
    in
    QCheck.make ~print:show_cmd
      (oneof_weighted
         [
           (11, map (fun cmd -> One cmd) one);
           (2, map (fun cmds -> All cmds) (list_size (int_range 0 6) one));
           (1, pure Length);
           (1, pure Bindings);
         ])

  let init_state = Model.empty
  let init_sut = S.create ~tick:ignore
  let cleanup _ = ()
  let precond _ _ = true

  let next_state cmd model =
    match cmd with
    | One cmd -> next cmd model
    | All cmds -> List.fold_left (Fun.flip next) model cmds
    | Length | Bindings -> model

  let flat bindings = List.concat_map (fun (k, v) -> [ k; v ]) bindings

  let run cmd t =
    let open STM in
    match cmd with
    | One (Find k) -> Res (option int, S.find t k)
    | One (Insert (k, v)) -> Res (unit, S.insert t k v)
    | One (Add (k, v)) -> Res (bool, S.add t k v)
    | One (Delete k) -> Res (bool, S.delete t k)
    | One (Toggle (k, v)) -> Res (unit, S.update t k (toggle v))
    | One (Refuse k) -> Res (result unit exn, protect (S.update t k) (fun _ -> raise Refused))
    | All cmds ->
        let ops = List.map op cmds in
        S.apply t (Array.of_list ops);
        Res (list (result (option int) exn), List.map (protect Op.result) ops)
    | Length -> Res (int, S.length t)
    | Bindings -> Res (list int, flat (S.bindings t))

  (* The results of the operations of a batch. *)
  let rec fit cmds results model =
    match (cmds, results) with
    | [], [] -> true
    | cmd :: cmds, result :: results ->
        let expected =
          match cmd with Refuse _ -> Error Refused | _ -> Ok (Model.find_opt (key cmd) model)
        in
        result = expected && fit cmds results (next cmd model)
    | _ -> false

  let postcond cmd (model : int Model.t) (res : STM.res) =
    match (cmd, res) with
    | One (Find k), Res ((STM.Option STM.Int, _), v) -> Model.find_opt k model = v
    | One (Insert _ | Toggle _), Res ((STM.Unit, _), ()) -> true
    | One (Add (k, _)), Res ((STM.Bool, _), added) -> added = not (Model.mem k model)
    | One (Delete k), Res ((STM.Bool, _), deleted) -> deleted = Model.mem k model
    | One (Refuse _), Res ((STM.Result (STM.Unit, STM.Exn), _), r) -> r = Error Refused
    | All cmds, Res ((STM.List (STM.Result (STM.Option STM.Int, STM.Exn)), _), results) ->
        fit cmds results model
    | Length, Res ((STM.Int, _), n) -> n = Model.cardinal model
    | Bindings, Res ((STM.List STM.Int, _), found) -> found = flat (Model.bindings model)
    | _ -> false
end
