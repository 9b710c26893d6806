(* Names of a module that is opened. *)

open Array

let opened is_racy =
  let a = make 101 0 in
  Drover.parallel_for ~start:0 ~finish:99 (fun i -> set a i (get a (if is_racy then i + 1 else i)))

let all = [ ("Array, opened", opened, "a.(i) <- ..") ]
