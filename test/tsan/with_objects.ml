(* Values handed over through what tasks share: channels, locks, batches, maps. Each test does [rounds]
   rounds by itself. *)

open Drover
open Drover_batched
open Cell
module Array = Stdlib.Array
module List = Stdlib.List

let together n f = List.iter await (List.init n (fun k -> async (fun () -> f k)))

let times n f =
  for i = 1 to n do
    f i
  done

let channel make rounds =
  let c = make () in
  together 6 (fun k ->
      times rounds (fun i ->
          if k < 3 then Chan.send c (i + k, filled (i + k))
          else
            let i, cell = Chan.recv c in
            take cell i))

let select rounds =
  let a = Chan.bounded 1 and b = Chan.rendezvous () in
  let sender c = async (fun () -> times rounds (fun i -> Chan.send c (i, filled i))) in
  let senders = List.map sender [ a; b ] in
  times (2 * rounds) (fun _ ->
      let i, cell = Chan.select [ Chan.receiving a Fun.id; Chan.receiving b Fun.id ] in
      take cell i);
  List.iter await senders

let mutexes rounds =
  let m = Mutex.create () and c = create () in
  together 6 (fun k ->
      times rounds (fun i ->
          if k = 0 && Mutex.try_lock m then begin
            fill c i;
            Mutex.unlock m
          end
          else Mutex.protect m (fun () -> fill c i)))

let conditions rounds =
  let m = Mutex.create () and arrived = Condition.create () and stack = ref [] in
  let push i =
    let c = filled i in
    Mutex.protect m (fun () ->
        stack := c :: !stack;
        Condition.signal arrived)
  and pop () =
    Mutex.protect m (fun () ->
        while !stack = [] do
          Condition.wait arrived m
        done;
        let c = List.hd !stack in
        stack := List.tl !stack;
        c)
  in
  together 6 (fun k ->
      times rounds (fun i ->
          if k < 3 then push i
          else
            let c = pop () in
            take c c.number))

let semaphores rounds =
  let s = Semaphore.create 1 and c = create () in
  together 5 (fun _ ->
      times rounds (fun i ->
          Semaphore.acquire s;
          fill c i;
          Semaphore.release s))

let barriers rounds =
  let parties = 4 in
  let b = Barrier.create parties and cells = cells parties in
  let wait () = ignore (Barrier.wait b) in
  together parties (fun k ->
      times rounds (fun i ->
          fill cells.(k) i;
          wait ();
          check cells.((k + 1) mod parties) i;
          wait ()))

let latches rounds =
  times rounds (fun i ->
      let latch = Latch.create 3 and cells = cells 3 in
      let count_down c =
        async (fun () ->
            fill c i;
            Latch.count_down latch)
      in
      let tasks = Array.map count_down cells in
      Latch.wait latch;
      Array.iter (fun c -> take c i) cells;
      Array.iter await tasks)

let lazily rounds =
  times rounds (fun i ->
      let c = create () in
      let once = Lazy.from_fun (fun () -> fill c i) in
      let value =
        Lazy.from_fun (fun () ->
            spin 200;
            filled i)
      in
      together 4 (fun _ ->
          Lazy.force once;
          check c i;
          check (Lazy.force value) i);
      take c i)

type operation = { amount : int; mutable before : int }

let batches ~parallel rounds =
  let total = ref 0 and n = 10 * rounds in
  let apply operations =
    let prepare i = operations.(i).before <- -operations.(i).amount in
    if parallel then parallel_for ~start:0 ~finish:(Array.length operations - 1) prepare;
    let add operation =
      operation.before <- !total;
      total := !total + operation.amount
    in
    Array.iter add operations
  in
  let batch = Batch.create apply in
  parallel_for ~start:1 ~finish:n (fun amount ->
      let operation = { amount; before = -1 } in
      Batch.submit batch operation;
      assert (operation.before >= 0);
      operation.before <- 0);
  assert (!total = n * (n + 1) / 2)

let keep c i =
  check c i;
  c.list <- []

let maps rounds =
  let n = 10 * rounds in
  let ordered = Ordered_map.create Int.compare
  and table = Hash_table.create ~hash:Hashtbl.hash ~equal:Int.equal () in
  let one insert find i =
    insert i (filled i);
    keep (Option.get (find i)) i
  in
  parallel_for ~start:1 ~finish:n (fun i ->
      one (Ordered_map.insert ordered) (Ordered_map.find ordered) i;
      one (Hash_table.insert table) (Hash_table.find table) i);
  Ordered_map.iter (fun i c -> fill c i) ordered;
  Hash_table.iter (fun i c -> fill c i) table

let other_structures rounds =
  let n = 10 * rounds in
  let queue = Priority_queue.create (fun (a, _) (b, _) -> Int.compare a b)
  and vector = Vector.create ()
  and counter = Counter.create 0
  and sets = Union_find.create (n + 1)
  and hits = Array.make n 0 in
  parallel_for ~start:1 ~finish:n (fun i ->
      Priority_queue.push queue (i, filled i);
      let i', c = Option.get (Priority_queue.pop_min queue) in
      take c i';
      let k = Vector.append vector (filled i) in
      take (Vector.get vector k) i;
      let k = Counter.add counter 1 in
      hits.(k) <- hits.(k) + 1;
      ignore (Union_find.union sets i (i - 1)));
  Vector.iter (fun c -> fill c 0) vector;
  Array.iter (fun k -> assert (k = 1)) hits

let all =
  [
    ("rendezvous", channel Chan.rendezvous);
    ("bounded channel", channel (fun () -> Chan.bounded 4));
    ("unbounded channel", channel Chan.unbounded);
    ("select", select);
    ("mutexes", mutexes);
    ("conditions", conditions);
    ("semaphores", semaphores);
    ("barriers", barriers);
    ("latches", latches);
    ("lazy", lazily);
    ("batches", batches ~parallel:false);
    ("parallel batches", batches ~parallel:true);
    ("maps", maps);
    ("other structures", other_structures);
  ]
