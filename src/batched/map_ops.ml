(* What every map offers, from the two ways to apply operations. *)

module type Applied = sig
  type ('k, 'v) t

  val submit : ('k, 'v) t -> ('k, 'v) Op.t -> unit
  val apply : ('k, 'v) t -> ('k, 'v) Op.t array -> unit
end

module Make (A : Applied) = struct
  let one t op =
    A.submit t op;
    Op.result op

  let find t key = one t (Op.find key)
  let mem t key = Option.is_some (find t key)
  let insert t key value = ignore (one t (Op.insert key value))
  let add t key value = Option.is_none (one t (Op.add key value))
  let delete t key = Option.is_some (one t (Op.delete key))
  let update t key f = ignore (one t (Op.update key f))

  (* All are applied before the failure of one is raised. *)
  let apply_all t ops =
    A.apply t ops;
    Array.iter Op.check ops

  let insert_all t bindings =
    apply_all t (Fresh.map (fun (key, value) -> Op.insert key value) bindings)

  let delete_all t keys = apply_all t (Fresh.map Op.delete keys)

  let find_all t keys =
    let ops = Fresh.map Op.find keys in
    A.apply t ops;
    Fresh.map Op.result ops
end
