(* A memo table: each result is computed once, whoever needs it. *)

(* [f] gets the function with the memo, to call itself. The lock is held for the look only: whoever
   comes first computes, and the others wait for that. *)
let memo f =
  let table = Hashtbl.create 1_000 and mutex = Mutex.create () in
  let rec get key =
    Drover.Lazy.force
      (Mutex.protect mutex (fun () ->
           match Hashtbl.find_opt table key with
           | Some result -> result
           | None ->
               let result = Drover.Lazy.from_fun (fun () -> f get key) in
               Hashtbl.add table key result;
               result))
  in
  get

let calls = Atomic.make 0

(* How many ways there are to choose [k] of [n] things. *)
let choose =
  memo (fun choose (n, k) ->
      Atomic.incr calls;
      if k = 0 || k = n then 1
      else
        let a, b = Drover.both (fun () -> choose (n - 1, k - 1)) (fun () -> choose (n - 1, k)) in
        a + b)

let () =
  Printf.printf "%d\n" (choose (40, 20));
  Printf.printf "%d calls\n" (Atomic.get calls)
