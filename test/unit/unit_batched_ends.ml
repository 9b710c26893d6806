(* Drover_batched: callers that are cancelled or run out of time, and pools that are closed, while
   batches run. What was acknowledged has been applied, and what was refused has not. *)

open Test_support
open Drover_batched
module Scope = Drover.Scope
module Pool = Drover.Pool

(* A structure to which numbers are applied, one by one or many at a time. [agrees numbers] tells
   whether it is what these, each applied once, make of it. *)
type subject = {
  one : int -> unit;
  many : int array -> unit;
  agrees : int list -> bool;
  validate : unit -> unit;
}

(* Singly come the numbers below [singles], and then two batches; [late] ones come afterwards. *)
let singles = 200
let batches = [ Array.init 200 (fun i -> singles + i); Array.init 200 (fun i -> singles + 200 + i) ]
let late = List.init 20 (fun i -> singles + 400 + i)
let later = List.init 20 (fun i -> singles + 420 + i)
let all = singles + 440
let sum = List.fold_left ( + ) 0

(* In the middle of a batch these call [inside], which may suspend. *)

(* The value of a key is how often it was updated. *)
let map ~update ~apply ~to_list ~validate inside =
  let again times =
    inside ();
    Some (1 + Option.value times ~default:0)
  in
  let many numbers =
    let ops = Array.map (fun i -> Op.update i again) numbers in
    apply ops;
    Array.iter (fun op -> ignore (Op.result op)) ops
  in
  let agrees numbers =
    List.sort compare (to_list ()) = List.map (fun i -> (i, 1)) (List.sort compare numbers)
  in
  { one = (fun i -> update i again); many; agrees; validate }

let ordered_map ?pool inside =
  let open Ordered_map in
  let t = create ?pool Int.compare in
  let to_list () = Array.to_list (Tree_map.to_array (snapshot t)) in
  map ~update:(update t) ~apply:(apply t) ~to_list ~validate:(fun () -> validate t) inside

let hash_table ?pool inside =
  let open Hash_table in
  let t = create ?pool ~hash:Fun.id ~equal:Int.equal () in
  let to_list () = Array.to_list (to_array t) in
  map ~update:(update t) ~apply:(apply t) ~to_list ~validate:(fun () -> validate t) inside

let pushes ?pool inside =
  let open Priority_queue in
  let compare i j =
    inside ();
    Int.compare i j
  in
  let t = create ?pool compare in
  let agrees numbers = Array.to_list (to_array t) = List.sort Int.compare numbers in
  { one = push t; many = push_all t; agrees; validate = (fun () -> validate t) }

(* A number stands for an element that is popped, whichever it is. *)
let pops ?pool _ =
  let open Priority_queue in
  let t = create ?pool Int.compare in
  let everything = Array.init all Fun.id and popped = Array.make all [] in
  push_all t everything;
  let one i = popped.(i) <- Option.to_list (pop_min t) in
  let many numbers = popped.(numbers.(0)) <- Array.to_list (pop_many t (Array.length numbers)) in
  let agrees numbers =
    let gone = List.concat (Array.to_list popped) in
    List.length gone = List.length numbers
    && List.sort Int.compare (gone @ Array.to_list (to_array t)) = Array.to_list everything
  in
  { one; many; agrees; validate = (fun () -> validate t) }

let union_find ?pool _ =
  let open Union_find in
  let t = create ?pool (all + 1) in
  let one i = if not (union t i (i + 1)) then failwith "united twice" in
  let many numbers = union_all t (Array.map (fun i -> (i, i + 1)) numbers) in
  let agrees numbers =
    List.filter (fun i -> connected t i (i + 1)) (List.init all Fun.id)
    = List.sort Int.compare numbers
  in
  { one; many; agrees; validate = (fun () -> validate t) }

(* Every eighth number is added to the first element. *)
let vector ?pool inside =
  let open Vector in
  let t = create ?pool () in
  ignore (append t 0);
  let is_eighth i = i mod 8 = 0 in
  let add i first =
    inside ();
    first + i
  in
  let one i = if is_eighth i then update t 0 (add i) else ignore (append t i) in
  let many numbers =
    let op i = if is_eighth i then update_op 0 (add i) else append_op i in
    let ops = Array.map op numbers in
    apply t ops;
    Array.iter (fun op -> ignore (element op)) ops
  in
  let agrees numbers =
    let added, appended = List.partition is_eighth numbers in
    match Array.to_list (to_array t) with
    | [] -> false
    | first :: others ->
        first = sum added && List.sort Int.compare others = List.sort Int.compare appended
  in
  { one; many; agrees; validate = ignore }

let counter ?pool:_ inside =
  let open Counter in
  let t = create 0 in
  let add_inside i n =
    inside ();
    n + i
  in
  let one i = ignore (if i mod 8 = 0 then update t (add_inside i) else add t i) in
  let many numbers = ignore (add_all t numbers) in
  { one; many; agrees = (fun numbers -> get t = sum numbers); validate = ignore }

(* [middle] is called in the middle of the [work] below: by whoever has been acknowledged, or by what
   runs inside a batch. *)
type play = {
  subject : subject;
  acknowledged : bool array;
  steps : int Atomic.t;
  middle : (unit -> unit) ref;
}

let step steps middle = if Atomic.fetch_and_add steps 1 = 80 then !middle ()

(* Steps count from the beginning of [work]. *)
let create subject =
  let steps = Atomic.make min_int and middle = ref ignore in
  let inside () =
    step steps middle;
    if Atomic.get steps mod 32 = 0 then Drover.sleep 1e-4
  in
  { subject = subject inside; acknowledged = Array.make all false; steps; middle }

let one p i =
  p.subject.one i;
  p.acknowledged.(i) <- true

let many p numbers =
  p.subject.many numbers;
  Array.iter (fun i -> p.acknowledged.(i) <- true) numbers

(* Whoever is refused goes on with the next number. *)
let attempt p f x =
  match f p x with () -> step p.steps p.middle | exception Drover.Cancelled _ -> ()

let in_tasks = [ (0, 34); (35, 69); (70, 104) ]
let in_loop = (105, 159)
let in_thread = List.init (singles - 160) (fun i -> 160 + i)

let work p scope =
  Atomic.set p.steps 0;
  let singly (first, last) () =
    for i = first to last do
      attempt p one i
    done
  in
  List.iter (fun numbers -> Scope.spawn scope (fun () -> attempt p many numbers)) batches;
  List.iter (fun part -> Scope.spawn scope (singly part)) in_tasks;
  let start, finish = in_loop in
  Drover.parallel_for ~start ~finish (attempt p one)

(* [f ()], while a thread that nobody cancels uses the structure, too. Afterwards that is used from
   another pool and from a thread. *)
let check p f =
  let beside = Stranger.thread (fun () -> List.iter (one p) in_thread) in
  f ();
  beside ();
  Drover.run ~domains:2 (fun () -> Drover.List.iter (one p) late);
  Stranger.thread (fun () -> List.iter (one p) later) ();
  p.subject.validate ();
  let numbers = List.filter (fun i -> p.acknowledged.(i)) (List.init all Fun.id) in
  Alcotest.(check bool) "what was acknowledged, once each" true (p.subject.agrees numbers)

let raises exn f =
  match f () with () -> Alcotest.fail "must raise" | exception e when e = exn -> ()

let cancelled domains subject =
  let p = create (subject ?pool:None) in
  let in_scope scope =
    (p.middle := fun () -> Scope.cancel scope Exit);
    work p scope
  in
  check p (fun () -> Drover.run ~domains (fun () -> raises Exit (fun () -> Scope.run in_scope)))

let cancelled_before subject =
  let p = create (subject ?pool:None) in
  let in_scope scope =
    Scope.cancel scope Exit;
    List.iter (attempt p many) batches
  in
  check p (fun () -> Drover.run ~domains:1 (fun () -> raises Exit (fun () -> Scope.run in_scope)))

let out_of_time domains subject =
  let p = create (subject ?pool:None) in
  let for_ever () =
    Scope.run (work p);
    Drover.sleep 1e6
  in
  let limited () = Scope.with_timeout 0.003 for_ever in
  check p (fun () -> Drover.run ~domains (fun () -> raises Scope.Timeout limited))

(* Tasks of the pool are using the structure when it is closed. *)
let closed ~is_own domains subject =
  let pool = Pool.create ~domains () in
  let p = create (subject ?pool:(if is_own then Some pool else None)) in
  let is_middle, tell = Drover.Promise.create () in
  p.middle := Drover.Promise.fulfil tell;
  let close () =
    Drover.await is_middle;
    Pool.close pool
  in
  check p (fun () ->
      let closer = Stranger.thread close in
      Pool.run pool (fun () -> Scope.run (work p));
      closer ());
  Alcotest.(check bool) "nothing was refused" true (Array.for_all Fun.id p.acknowledged)

let subjects =
  [
    ("counter", counter);
    ("hash table", hash_table);
    ("ordered map", ordered_map);
    ("priority queue, pushes", pushes);
    ("priority queue, pops", pops);
    ("union-find", union_find);
    ("vector", vector);
  ]

let () =
  let case play (name, subject) = Watchdog.case name (fun () -> play subject) in
  let group name plays =
    (name, List.map (case (fun subject -> List.iter (fun play -> play subject) plays)) subjects)
  in
  Alcotest.run "batched ends"
    [
      group "cancelled before" [ cancelled_before ];
      group "cancelled" [ cancelled 1; cancelled 2; cancelled 4 ];
      group "out of time" [ out_of_time 1; out_of_time 2 ];
      group "closed" [ closed ~is_own:true 1; closed ~is_own:true 2; closed ~is_own:false 2 ];
    ]
