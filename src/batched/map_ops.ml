(* What every map offers, from the two ways to apply operations. *)

module type Applied = sig
  type ('k, 'v) t

  val submit : ('k, 'v) t -> ('k, 'v) Operation.t -> unit
  val apply : ('k, 'v) t -> ('k, 'v) Operation.t array -> unit
end

module Make (A : Applied) = struct
  let one t op =
    A.submit t op;
    Operation.result op

  let find t key = one t (Operation.find key)
  let mem t key = Option.is_some (find t key)
  let insert t key value = ignore (one t (Operation.insert key value))
  let add t key value = Option.is_none (one t (Operation.add key value))
  let delete t key = Option.is_some (one t (Operation.delete key))
  let update t key f = ignore (one t (Operation.update key f))

  (* All are applied before the failure of one is raised. *)
  let apply_all t ops =
    A.apply t ops;
    Array.iter Operation.check ops

  let insert_all t bindings =
    apply_all t (Fresh.map (fun (key, value) -> Operation.insert key value) bindings)

  let delete_all t keys = apply_all t (Fresh.map Operation.delete keys)

  let find_all t keys =
    let ops = Fresh.map Operation.find keys in
    A.apply t ops;
    Fresh.map Operation.result ops
end
