(* The main paths of the library, and what one operation is on each of them. *)

(* Where a path is taken: [Alone] in the only domain of a pool, [Timed] likewise, but slices decide on the order,
   [Together] in a pool of two, [Outside] in no task, and [Beside] too, while a domain of a pool works. *)
type place = Alone | Timed | Together | Outside | Beside

(* What others do meanwhile differs from run to run. *)
let is_exact = function Alone | Outside -> true | Timed | Together | Beside -> false

(* [run ()] is the number of operations that it has done. The system calls of a [traced] path count. *)
type t = { name : string; place : place; traced : bool; run : unit -> int }

let u () = Sys.opaque_identity ()
let body i = ignore (Sys.opaque_identity i)
let path ?(traced = false) place name run = { name; place; traced; run }

(* The path that does [op ()] again and again, which has [operations]. *)
let each ?traced ?(times = 1000) ?(operations = 1) place name op =
  path ?traced place name (fun () ->
      for _ = 1 to times do
        ignore (Sys.opaque_identity (op ()))
      done;
      times * operations)

(* Forks *)

let rec tree depth =
  if depth > 0 then ignore (Drover.both (fun () -> tree (depth - 1)) (fun () -> tree (depth - 1)))

let rec left n = if n > 0 then ignore (Drover.both (fun () -> left (n - 1)) u)
let rec right n = if n > 0 then ignore (Drover.both u (fun () -> right (n - 1)))

(* The owner keeps to its side until another domain has begun the other. It has a limit, for a machine
   where there is no other. The flag is Stdlib's, which nobody counts. *)
let stolen () =
  let is_begun = Stdlib.Atomic.make false and limit = Unix.gettimeofday () +. 10. in
  let wait () =
    while (not (Stdlib.Atomic.get is_begun)) && Unix.gettimeofday () < limit do
      Domain.cpu_relax ()
    done
  in
  Drover.both wait (fun () -> Stdlib.Atomic.set is_begun true)

let ten = List.init 10 (fun _ -> u)

let forks =
  [
    each Alone "fork, in a for" (fun () -> Drover.both u u);
    each ~operations:2 Alone "fork, two in a for" (fun () ->
        Drover.both (fun () -> Drover.both u u) u);
    each ~operations:7 Alone "fork, seven in a for" (fun () -> tree 3);
    path Alone "fork, in a tree" (fun () ->
        tree 14;
        (1 lsl 14) - 1);
    each ~operations:100 Alone "fork, to the left" (fun () -> left 100);
    each ~operations:100 Alone "fork, to the right" (fun () -> right 100);
    each ~traced:true ~times:20 Together "fork, stolen" stolen;
    each Alone "all of ten" (fun () -> Drover.all ten);
  ]

(* Loops *)

let numbers = Array.init 10 Fun.id
let reduce n () = Drover.parallel_reduce ~start:1 ~finish:n ~init:0 ~combine:( + ) Fun.id

let loops =
  [
    path Alone "loop, an iteration" (fun () ->
        Drover.parallel_for ~start:1 ~finish:1_000_000 body;
        1_000_000);
    each Alone "loop, none" (fun () -> Drover.parallel_for ~start:1 ~finish:0 body);
    each Alone "loop, ten" (fun () -> Drover.parallel_for ~start:1 ~finish:10 body);
    each Alone "loop, a hundred" (fun () -> Drover.parallel_for ~start:1 ~finish:100 body);
    each Alone "loop, a range of ten" (fun () ->
        Drover.parallel_range ~start:1 ~finish:10 (fun lo hi -> body (lo + hi)));
    each Alone "loop, one reduced" (reduce 1);
    each Alone "loop, ten reduced" (reduce 10);
    each Alone "Array.map of ten" (fun () -> Drover.Array.map succ numbers);
    each Alone "Array.iter of ten" (fun () -> Drover.Array.iter body numbers);
    each Alone "Array.sort of ten" (fun () -> Drover.Array.sort Int.compare numbers);
    path Timed "Seq.map, an element" (fun () ->
        Seq.iter body (Drover.Seq.map succ (Seq.init 10_000 Fun.id));
        10_000);
  ]

(* Promises *)

let begun = ref 0

let async f =
  incr begun;
  Drover.async f

(* [f ()] with as many operations as tasks that it starts. *)
let tasks name f =
  path Alone name (fun () ->
      begun := 0;
      ignore (Sys.opaque_identity (f ()));
      !begun)

let rec fib_one n =
  if n < 2 then n
  else
    let a = async (fun () -> fib_one (n - 1)) in
    let b = fib_one (n - 2) in
    Drover.await a + b

let rec fib_two n =
  if n < 2 then n
  else
    let a = async (fun () -> fib_two (n - 1)) in
    let b = async (fun () -> fib_two (n - 2)) in
    Drover.await a + Drover.await b

let rec tak x y z =
  if y >= x then z
  else
    let a = async (fun () -> tak (x - 1) y z) in
    let b = async (fun () -> tak (y - 1) z x) in
    let c = async (fun () -> tak (z - 1) x y) in
    let a = Drover.await a in
    let b = Drover.await b in
    tak a b (Drover.await c)

let rec queens n row columns up down =
  if row = n then 1
  else
    let task column =
      let c = 1 lsl column and u = 1 lsl (row + column) and d = 1 lsl (row - column + n) in
      if (columns land c) + (up land u) + (down land d) > 0 then None
      else Some (async (fun () -> queens n (row + 1) (columns lor c) (up lor u) (down lor d)))
    in
    let tasks = List.filter_map task (List.init n Fun.id) in
    List.fold_left (fun sum task -> sum + Drover.await task) 0 tasks

(* The distance of two texts, where a table has what is known. *)
let edit n =
  let letter k i = i * k mod 26 in
  let table = Array.make_matrix (n + 1) (n + 1) (-1) in
  let rec distance i j =
    if i = 0 then j
    else if j = 0 then i
    else if table.(i).(j) >= 0 then table.(i).(j)
    else begin
      let delete = async (fun () -> distance (i - 1) j) in
      let insert = async (fun () -> distance i (j - 1)) in
      let change = async (fun () -> distance (i - 1) (j - 1)) in
      let same = if letter 7 i = letter 5 j then 0 else 1 in
      let delete = Drover.await delete in
      let insert = Drover.await insert in
      table.(i).(j) <- min (min delete insert + 1) (Drover.await change + same);
      table.(i).(j)
    end
  in
  distance n n

let in_order () = Array.iter Drover.await (Array.init 100 (fun _ -> async u))

let from_last () =
  let tasks = Array.init 100 (fun _ -> async u) in
  for i = 99 downto 0 do
    Drover.await tasks.(i)
  done

let promises =
  [
    each Alone "promise, in a for" (fun () -> Drover.await (async u));
    path Alone "promise, after a scope" (fun () ->
        Drover.Scope.run ignore;
        for _ = 1 to 1000 do
          Drover.await (async u)
        done;
        1000);
    tasks "promise, in order" in_order;
    tasks "promise, from the last" from_last;
    tasks "promise, fib with one" (fun () -> fib_one 18);
    tasks "promise, fib with two" (fun () -> fib_two 16);
    tasks "promise, tak" (fun () -> tak 12 8 4);
    tasks "promise, queens" (fun () -> queens 7 0 0 0 0);
    tasks "promise, edit" (fun () -> edit 50);
  ]

(* Waits *)

let fulfilled () =
  let promise, resolver = Drover.Promise.create () in
  Drover.both (fun () -> Drover.await promise) (fun () -> Drover.Promise.fulfil resolver ())

let turns = 1000

(* Two tasks that do something in turns. *)
let in_turns ?(place = Alone) name f g =
  path place name (fun () ->
      let repeat f () =
        for _ = 1 to turns do
          f ()
        done
      in
      ignore (Drover.both (repeat f) (repeat g));
      turns)

let waits =
  let rendezvous = Drover.Chan.rendezvous () and bounded = Drover.Chan.bounded 1 in
  let mutex = Drover.Mutex.create () in
  let held () = Drover.Mutex.protect mutex (fun () -> Drover.sleep 0.) in
  [
    each ~traced:true Alone "a wait and its wake" fulfilled;
    each Alone "a turn for others" (fun () -> Drover.sleep 0.);
    in_turns "Chan, handed over"
      (fun () -> Drover.Chan.send rendezvous ())
      (fun () -> Drover.Chan.recv rendezvous);
    in_turns "Chan, bounded to 1"
      (fun () -> Drover.Chan.send bounded ())
      (fun () -> Drover.Chan.recv bounded);
    each Alone "Chan, no wait" (fun () ->
        Drover.Chan.send bounded ();
        Drover.Chan.recv bounded);
    each Alone "Mutex, free" (fun () ->
        Drover.Mutex.lock mutex;
        Drover.Mutex.unlock mutex);
    in_turns ~place:Timed "Mutex, two waits" held held;
  ]

(* Scopes and batches *)

let scopes =
  let sum = ref 0 in
  let batch = Drover.Batch.create (fun ops -> sum := !sum + ops.(0)) in
  let one n =
    sum := !sum + n;
    true
  in
  let by_one = Drover.Batch.create ~one ignore in
  [
    each Alone "Scope.run of nothing" (fun () -> Drover.Scope.run ignore);
    each Alone "Scope.run, a spawn" (fun () -> Drover.Scope.run (fun s -> Drover.Scope.spawn s u));
    each Alone "Scope.async, awaited" (fun () ->
        Drover.Scope.run (fun s -> Drover.await (Drover.Scope.async s u)));
    each Alone "Scope.check" Drover.Scope.check;
    each Alone "with_timeout" (fun () -> Drover.Scope.with_timeout 1000. u);
    each Alone "Batch.submit" (fun () -> Drover.Batch.submit batch 1);
    each Outside "Batch.submit, outside" (fun () -> Drover.Batch.submit batch 1);
    each Alone "Batch.submit, by one" (fun () -> Drover.Batch.submit by_one 1);
  ]

(* Maps *)

module Ordered_map = Drover_batched.Ordered_map

let evens = Array.init 100 (fun i -> 2 * i)
let odds = Array.init 100 (fun i -> (2 * i) + 1)

let map_of keys =
  let map = Ordered_map.create Int.compare in
  Array.iter (fun key -> Ordered_map.insert map key 0) keys;
  map

(* A hundred single operations at a time, [after] which [map] is as it was. *)
let on_each ?(after = ignore) name keys map operate =
  each ~times:10 ~operations:100 Alone ("Ordered_map." ^ name) (fun () ->
      Array.iter (fun key -> operate map key) keys;
      after map)

let maps =
  let version = ref 0 in
  let insert map key =
    incr version;
    Ordered_map.insert map key !version
  and restored map =
    let snapshot = Ordered_map.snapshot map in
    fun map -> Ordered_map.modify map (fun _ -> (snapshot, ()))
  in
  let hundred = map_of evens and grows = map_of evens in
  let shrinks = map_of (Array.append evens odds) in
  [
    on_each "find" evens hundred (fun map key ->
        ignore (Sys.opaque_identity (Ordered_map.find map key)));
    on_each "insert, bound" evens hundred insert;
    on_each "insert, new" odds grows insert ~after:(restored grows);
    on_each "delete" odds shrinks ~after:(restored shrinks) (fun map key ->
        ignore (Ordered_map.delete map key : bool));
    on_each "update" evens hundred (fun map key -> Ordered_map.update map key (Option.map succ));
  ]

(* Pools, from outside *)

let pools =
  let pool = lazy (Drover.Pool.create ~domains:1 ()) in
  [
    each ~traced:true Outside "run, one domain" (fun () -> Drover.run ~domains:1 u);
    each ~traced:true ~times:20 Together "run, two domains" (fun () -> Drover.run ~domains:2 u);
    each ~traced:true Outside "Pool.run" (fun () -> Drover.Pool.run (Lazy.force pool) u);
    each ~traced:true ~times:100 Beside "Pool.async, awaited" (fun () ->
        Drover.await (Drover.Pool.async (Lazy.force pool) u));
    each ~traced:true ~times:100 Together "blocking" (fun () -> Drover.blocking u);
  ]

let all = forks @ loops @ promises @ waits @ scopes @ maps @ pools
