(* Loops of all shapes over batches: iterations submit, lock, wait, fork, fail and loop again, and
   batch functions wait, loop, and submit to other objects. Whatever lies on top of what meanwhile,
   who returned from [submit] was applied, once; the others were not, or their batch failed. *)

open Test_support
open Drover
open Stdlib

type step =
  | Submit of int (* to this object *)
  | Locked of int * step list
  | Pause
  | Both of step list * step list
  | Loop of int * step list
  | Raise

type load = { domains : int; most : int list (* in a batch of each object *); steps : step list }

let objects = 3

let rec print_step = function
  | Submit i -> Printf.sprintf "submit %d" i
  | Locked (i, steps) -> Printf.sprintf "locked %d %s" i (print_steps steps)
  | Pause -> "pause"
  | Both (a, b) -> Printf.sprintf "both %s %s" (print_steps a) (print_steps b)
  | Loop (n, steps) -> Printf.sprintf "loop %d %s" n (print_steps steps)
  | Raise -> "raise"

and print_steps steps = "[" ^ String.concat "; " (List.map print_step steps) ^ "]"

let print l =
  Printf.sprintf "%d domains, at most %s, %s" l.domains
    (String.concat ", " (List.map string_of_int l.most))
    (print_steps l.steps)

let submit_gen = QCheck2.Gen.(map (fun i -> Submit i) (int_range 0 (objects - 1)))
let rare_gen = QCheck2.Gen.(map (fun n -> if n = 0 then Raise else Pause) (int_range 0 30))

(* What is done under a lock waits for nobody who would take it. *)
let locked_gen =
  let open QCheck2.Gen in
  let steps = list_size (int_range 0 3) (oneof_weighted [ (3, submit_gen); (1, pure Pause) ]) in
  map2 (fun i steps -> Locked (i, steps)) (int_range 0 (objects - 1)) steps

let rec steps_gen depth =
  let open QCheck2.Gen in
  let inner () = steps_gen (depth - 1) in
  let deep =
    if depth = 0 then []
    else
      [
        (1, map2 (fun a b -> Both (a, b)) (inner ()) (inner ()));
        (2, map2 (fun n steps -> Loop (n, steps)) (int_range 0 12) (inner ()));
      ]
  in
  let flat = [ (6, submit_gen); (2, pure Pause); (1, rare_gen); (2, locked_gen) ] in
  list_size (int_range 0 4) (oneof_weighted (flat @ deep))

let gen =
  let open QCheck2.Gen in
  map3
    (fun domains most body -> { domains; most; steps = [ Loop (40, body) ] })
    (oneof_list [ 1; 2; 4; 8 ])
    (list_size (pure objects) (oneof_list [ 1; 3; 1024 ]))
    (steps_gen 2)

exception Fault

type op = { applied : int Atomic.t }
type t = { batches : op Batch.t array; locks : Drover.Mutex.t array; returned : int Atomic.t }

(* Others get their turn. *)
let pause () =
  let turn, come = Promise.create () in
  let next = async (Promise.fulfil come) in
  await turn;
  await next

(* The functions do what they find worth their while, and the first's submits to the second. *)
let create most =
  let count = Atomic.make 0 and batches = ref [||] in
  let process i ops =
    let n = Array.length ops in
    if n land 3 = 1 then pause ();
    if i = 0 && n > 1 then Batch.submit !batches.(1) { applied = Atomic.make 0 };
    parallel_for ~start:0 ~finish:(n - 1) (fun k ->
        Atomic.incr ops.(k).applied;
        Atomic.incr count)
  in
  batches := Array.of_list (List.mapi (fun i max -> Batch.create ~max (process i)) most);
  let locks = Array.init objects (fun _ -> Drover.Mutex.create ()) in
  { batches = !batches; locks; returned = Atomic.make 0 }

let submit t i =
  let op = { applied = Atomic.make 0 } in
  Batch.submit t.batches.(i) op;
  if Atomic.get op.applied <> 1 then failwith "returned, and was not applied once";
  Atomic.incr t.returned

let rec call t = function
  | Submit i -> submit t i
  | Locked (i, steps) -> Drover.Mutex.protect t.locks.(i) (fun () -> call_all t steps)
  | Pause -> pause ()
  | Both (a, b) -> ignore (both (fun () -> call_all t a) (fun () -> call_all t b) : unit * unit)
  | Loop (n, steps) -> parallel_for ~start:1 ~finish:n (fun _ -> call_all t steps)
  | Raise -> raise Fault

and call_all t steps = List.iter (call t) steps

(* How many submissions there are, and whether anything raises. *)
let rec expected = function
  | Submit _ -> (1, false)
  | Locked (_, steps) -> expected_all steps
  | Pause -> (0, false)
  | Both (a, b) -> expected_all (a @ b)
  | Loop (n, steps) ->
      let submits, raises = expected_all steps in
      (n * submits, raises && n > 0)
  | Raise -> (0, true)

and expected_all steps =
  let add (n, raises) step =
    let m, r = expected step in
    (n + m, raises || r)
  in
  List.fold_left add (0, false) steps

let law l =
  let t = create l.most in
  let submits, raises = expected_all l.steps in
  match run ~domains:l.domains (fun () -> call_all t l.steps) with
  | () ->
      (not raises)
      && Test_support.Properties.agree string_of_int ~expected:submits
           ~found:(Atomic.get t.returned)
  | exception Fault -> raises && Atomic.get t.returned <= submits

let () =
  QCheck_base_runner.run_tests_main
    [ Watchdog.property ~count:300 ~name:"loops over batches" ~print gen law ]
