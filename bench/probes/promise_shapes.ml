module type Task = sig
  type pool
  type 'a promise

  val async : pool -> (unit -> 'a) -> 'a promise
  val await : pool -> 'a promise -> 'a

  val parallel_for :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> pool -> unit
end

type size = { awaited : int; fib : int; tak : int; queens : int; letters : int; loops : int }

module Make (T : Task) = struct
  let nothing () = Sys.opaque_identity 1

  let for_ n p =
    for _ = 1 to n do
      ignore (T.await p (T.async p nothing) : int)
    done;
    n

  (* A thousand promises at a time. *)
  let many n order p =
    for _ = 1 to n / 1000 do
      let promises = order (List.init 1000 (fun _ -> T.async p nothing)) in
      List.iter (fun promise -> ignore (T.await p promise : int)) promises
    done;
    n

  let rec fib1 n p =
    if n < 2 then n
    else
      let a = T.async p (fun () -> fib1 (n - 1) p) in
      let b = fib1 (n - 2) p in
      T.await p a + b

  let rec fib2 n p =
    if n < 2 then n
    else
      let a = T.async p (fun () -> fib2 (n - 1) p) in
      let b = T.async p (fun () -> fib2 (n - 2) p) in
      T.await p a + T.await p b

  let rec tak x y z p =
    if y >= x then z
    else
      let a = T.async p (fun () -> tak (x - 1) y z p) in
      let b = T.async p (fun () -> tak (y - 1) z x p) in
      let c = T.async p (fun () -> tak (z - 1) x y p) in
      let a = T.await p a in
      let b = T.await p b in
      tak a b (T.await p c) p

  (* The columns and diagonals that are taken, as sets of bits. *)
  let rec queens n row columns down up p =
    if row = n then 1
    else
      let place column =
        let c = 1 lsl column and d = 1 lsl (row + column) and u = 1 lsl (row - column + n) in
        if columns land c <> 0 || down land d <> 0 || up land u <> 0 then None
        else
          Some (T.async p (fun () -> queens n (row + 1) (columns lor c) (down lor d) (up lor u) p))
      in
      let promises = List.filter_map place (List.init n Fun.id) in
      List.fold_left (fun sum promise -> sum + T.await p promise) 0 promises

  (* The edit distance of two words, with a table that all tasks share. *)
  let edit n p =
    let word k = String.init n (fun i -> Char.chr (97 + (i * k mod 26))) in
    let s = word 7 and t = word 5 in
    let table = Hashtbl.create 1000 and mutex = Mutex.create () in
    let rec distance i j =
      let known () = Hashtbl.find_opt table (i, j) in
      if i = 0 then j
      else if j = 0 then i
      else match Mutex.protect mutex known with Some d -> d | None -> compute i j
    and compute i j =
      let delete = T.async p (fun () -> distance (i - 1) j) in
      let insert = T.async p (fun () -> distance i (j - 1)) in
      let change = T.async p (fun () -> distance (i - 1) (j - 1)) in
      let delete = 1 + T.await p delete in
      let insert = 1 + T.await p insert in
      let change = T.await p change + if s.[i - 1] = t.[j - 1] then 0 else 1 in
      let d = Int.min delete (Int.min insert change) in
      Mutex.protect mutex (fun () -> Hashtbl.replace table (i, j) d);
      d
    in
    distance n n

  (* Eight iterations of a few hundred nanoseconds. *)
  let loops n p =
    for _ = 1 to n do
      T.parallel_for p ~chunk_size:1 ~start:1 ~finish:8 ~body:(fun _ -> Stretch.work 250)
    done;
    n

  let all size =
    [
      ("for", for_ size.awaited);
      ("in order", many size.awaited Fun.id);
      ("from last", many size.awaited List.rev);
      ("fib, one", fib1 size.fib);
      ("fib, two", fib2 size.fib);
      ("tak", tak size.tak (size.tak * 2 / 3) (size.tak / 3));
      ("queens", queens size.queens 0 0 0 0);
      ("edit", edit size.letters);
      ("loop", loops size.loops);
    ]
end

(* A task runs as soon as it is made, and is counted. *)
module Counting = Make (struct
  type pool = int ref
  type 'a promise = 'a

  let async count f =
    incr count;
    f ()

  let await _ v = v

  let parallel_for ?chunk_size:_ ~start ~finish ~body count =
    incr count;
    Drover_kernels.Loop.serial ~start ~finish body
end)

let serial size =
  let counted (name, shape) =
    let run () =
      let count = ref 0 in
      let result = shape count in
      (result, !count)
    in
    (name, run)
  in
  List.map counted (Counting.all size)
