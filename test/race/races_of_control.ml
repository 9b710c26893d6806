(* What is side by side: each construct that begins strands, with a race and a twin. *)

let n = 100

let range is_racy =
  let a = Array.make (n + 1) 0 in
  Drover.parallel_range ~start:0 ~finish:(n - 1) (fun lo hi ->
      for i = lo to hi do
        a.(i) <- a.(if is_racy then i + 1 else i)
      done)

let for_par is_racy =
  let a = Array.make (n + 1) 0 in
  for%par i = 0 to n - 1 do
    a.(i) <- a.(if is_racy then i + 1 else i)
  done

let let_par is_racy =
  let a = Array.make 2 0 in
  let%par x = a.(0) <- 1 and y = a.(if is_racy then 0 else 1) <- 1 in
  ignore (x, y)

(* In a reduction, also where an interval is one piece. *)
let reduction is_racy =
  let last = ref 0 in
  let sum = Drover.parallel_reduce ~start:1 ~finish:n ~init:0 ~combine:( + ) in
  ignore
    (sum (fun i ->
         if is_racy then last := i;
         i)
      : int)

let combine is_racy =
  let combined = ref 0 and counted = Atomic.make 0 in
  let combine a b =
    if is_racy then incr combined else Atomic.incr counted;
    a + b
  in
  ignore (Drover.parallel_reduce ~start:1 ~finish:n ~init:0 ~combine Fun.id : int)

let fold_state is_racy =
  let shared = Array.make 4 0 in
  let make () = if is_racy then shared else Array.make 4 0 in
  let merge a b =
    if a != b then Array.iteri (fun i x -> a.(i) <- a.(i) + x) b;
    a
  in
  let step a i =
    a.(i land 3) <- a.(i land 3) + i;
    a
  in
  ignore (Drover.parallel_fold ~start:1 ~finish:10_000 ~make ~merge step : int array)

let array_map is_racy =
  let last = ref 0 in
  ignore
    (Drover.Array.map
       (fun i ->
         if is_racy then last := i;
         i + 1)
       (Array.init n Fun.id)
      : int array)

let array_while_changed is_racy =
  let a = Array.make n 0 and b = Array.make n 0 in
  ignore
    (Drover.both
       (fun () -> ignore (Drover.Array.map succ a : int array))
       (fun () -> (if is_racy then a else b).(n / 2) <- 1)
      : unit * unit)

(* Ranges that overlap by one. *)
let quicksort is_racy =
  let a = Array.init 200 (fun i -> i * 7919 mod 200) in
  let swap i j =
    let x = a.(i) in
    a.(i) <- a.(j);
    a.(j) <- x
  in
  let rec sort lo hi =
    if hi - lo > 1 then begin
      let pivot = a.(hi - 1) and next = ref lo in
      for i = lo to hi - 2 do
        if a.(i) < pivot then begin
          swap i !next;
          next := !next + 1
        end
      done;
      swap !next (hi - 1);
      let middle = !next in
      let left () = sort lo (if is_racy then Int.min (middle + 2) (hi - 1) else middle) in
      ignore (Drover.both left (fun () -> sort (middle + 1) hi) : unit * unit)
    end
  in
  sort 0 200

let all_of_some is_racy =
  let a = Array.make 3 0 in
  ignore (Drover.all (List.init 3 (fun i () -> a.(if is_racy then 0 else i) <- i)) : unit list)

let async_not_awaited is_racy =
  Drover.run (fun () ->
      let r = ref 0 in
      let p = Drover.async (fun () -> r := 1) in
      if not is_racy then Drover.await p;
      r := !r + 1;
      Drover.await p)

let promise is_racy =
  Drover.run (fun () ->
      let r = ref 0 in
      let p, resolver = Drover.Promise.create () in
      let t =
        Drover.async (fun () ->
            if not is_racy then r := 1;
            Drover.Promise.fulfil resolver ();
            if is_racy then r := 1)
      in
      Drover.await p;
      r := !r + 1;
      Drover.await t)

let scope is_racy =
  let a = Array.make 2 0 in
  Drover.Scope.run (fun s ->
      Drover.Scope.spawn s (fun () -> a.(0) <- 1);
      if is_racy then a.(1) <- a.(0));
  a.(1) <- a.(0)

let scope_async is_racy =
  let r = ref 0 in
  Drover.Scope.run (fun s ->
      let p = Drover.Scope.async s (fun () -> r := 1) in
      if not is_racy then Drover.await p;
      r := !r + 1)

let daemon is_racy =
  let r = ref 0 and own = ref 0 in
  Drover.Scope.run (fun s ->
      Drover.Scope.daemon s (fun () -> r := 1);
      (if is_racy then r else own) := 2;
      Drover.sleep 0.01);
  r := !r + 1

let nested is_racy =
  let a = Array.make (n * n) 0 in
  Drover.parallel_for ~start:0 ~finish:(n - 1) (fun i ->
      Drover.parallel_for ~start:0 ~finish:(n - 1) (fun j ->
          a.(if is_racy then i + j else (i * n) + j) <- 1))

(* What is waited for in a loop does not hide what the others do. *)
let suspended is_racy =
  let a = Array.make (n + 1) 0 in
  Drover.parallel_for ~start:0 ~finish:(n - 1) (fun i ->
      if i mod 10 = 0 then Drover.sleep 0.;
      a.(i) <- a.(if is_racy then i + 1 else i))

let all =
  [
    ("parallel_range", range, "a.(i) <- ..");
    ("for%par", for_par, "a.(i) <- ..");
    ("let%par", let_par, "a.(0) <- ..");
    ("parallel_reduce", reduction, "last := ..");
    ("combine", combine, "incr combined");
    ("parallel_fold, the state", fold_state, "a.(i land 3) <- ..");
    ("Array.map", array_map, "last := ..");
    ("Array.map of what changes", array_while_changed, "Drover.Array.map");
    ("quicksort", quicksort, "a.(i) <- ..");
    ("all", all_of_some, "a.(if is_racy then 0 else i) <- ..");
    ("async", async_not_awaited, "r := ..");
    ("promise", promise, "r := ..");
    ("Scope.spawn", scope, "a.(0) <- ..");
    ("Scope.async", scope_async, "r := ..");
    ("Scope.daemon", daemon, "r := ..");
    ("nested loops", nested, "a.(if is_racy then i + j else (i * n) + j) <- ..");
    ("suspended iterations", suspended, "a.(i) <- ..");
  ]
