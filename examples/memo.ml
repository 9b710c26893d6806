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

let () =
  Printf.printf "%d\n" (Drover.Memo.get choose (40, 20));
  Printf.printf "%d calls\n" (Atomic.get calls)

(* What each of these needs is not what it needs itself. *)
let weights =
  Drover.Memo.create (fun weight thing ->
      match thing with
      | "crate" -> 5 + weight "box"
      | "box" -> 1 + weight "crate"
      | _ -> 1)

let () =
  match Drover.Memo.get weights "crate" with
  | weight -> Printf.printf "%d\n" weight
  | exception Drover.Memo.Cycle -> print_endline "a crate is in itself"

(* The answers of a server: at most a hundred are kept, those in use. *)
let steps =
  Drover.Memo.create ~bound:100 (fun _ n ->
      let rec count steps n =
        if n = 1 then steps
        else count (steps + 1) (if n land 1 = 0 then n / 2 else (3 * n) + 1)
      in
      count 0 n)

let () = Printf.printf "%d steps\n" (Drover.Memo.get steps 27)

let () =
  let requests = Array.init 10_000 (fun i -> 1 + (i * i mod 1_009)) in
  let answers = Drover.Array.map (Drover.Memo.get steps) requests in
  let is_kept n = Option.is_some (Drover.Memo.find_opt steps n) in
  let kept = List.filter is_kept (List.init 1_009 succ) in
  Printf.printf "%d steps; a hundred answers are kept at most: %b\n"
    (Array.fold_left ( + ) 0 answers)
    (List.length kept <= 100)
