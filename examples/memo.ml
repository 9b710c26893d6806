(* A memo table: each result is computed once, whoever needs it. *)

let calls = Atomic.make 0

(* How many ways there are to choose [k] of [n] things. *)
let choose =
  Drover.Memo.create (fun choose (n, k) ->
      Atomic.incr calls;
      if k = 0 || k = n then 1
      else
        let a, b =
          Drover.both
            (fun () -> choose (n - 1, k - 1))
            (fun () -> choose (n - 1, k))
        in
        a + b)

(* What each of these needs is not what it needs itself. *)
let weights =
  Drover.Memo.create (fun weight thing ->
      match thing with
      | "crate" -> 5 + weight "box"
      | "box" -> 1 + weight "crate"
      | _ -> 1)

let () =
  Printf.printf "%d\n" (Drover.Memo.get choose (40, 20));
  Printf.printf "%d calls\n" (Atomic.get calls);
  match Drover.Memo.get weights "crate" with
  | weight -> Printf.printf "%d\n" weight
  | exception Drover.Memo.Cycle -> print_endline "a crate is in itself"
