(* Sorted runs, which everybody reads.

   Open runs --a push or a pop by itself--> Open other runs

   Open runs --close--> Closed runs --the end of a batch--> Open other runs

   An operation by itself waits for nobody: it finds out what the runs become and puts that in their
   place, if nobody was faster; otherwise it begins again. What takes longer, and whoever was too
   slow several times, or meets a batch, is for a batch. *)

type 'a state = Open of 'a Runs.t | Closed of 'a Runs.t

(* A push has an element; the outcome is what was popped. *)
type 'a op = { element : 'a option; mutable outcome : 'a option Outcome.t }
type 'a t = { compare : 'a -> 'a -> int; state : 'a state Atomic.t; gate : 'a op Gate.t }

let push_op x = { element = Some x; outcome = Pending }
let pop_op () = { element = None; outcome = Pending }
let result op = Outcome.get ~caller:"Priority_queue.result" op.outcome
let runs state = match Atomic.get state with Open runs | Closed runs -> runs
let now t = runs t.state

(* Batches. Each of these is [runs] after operations. *)

let change cmp runs op =
  match op.element with
  | Some x -> (None, Runs.push cmp runs x)
  | None -> (
      match Runs.pop cmp runs with None -> (None, runs) | Some (x, rest) -> (Some x, rest))

let one cmp runs op =
  match change cmp runs op with
  | popped, runs ->
      op.outcome <- Is popped;
      runs
  | exception exn ->
      op.outcome <- Outcome.failed exn;
      runs

(* Fewer are not worth sorting. *)
let few = Runs.short

let push_all cmp runs pushes =
  let in_turn () = Array.fold_left (one cmp) runs pushes in
  if Array.length pushes < few then in_turn ()
  else
    let pushed () =
      let elements = Fresh.map (fun op -> Option.get op.element) pushes in
      Drover.Array.stable_sort cmp elements;
      Runs.push_sorted cmp runs elements
    in
    match pushed () with
    | runs ->
        Array.iter (fun op -> op.outcome <- Outcome.Is None) pushes;
        runs
    | exception _ -> in_turn ()

let pop_all cmp runs pops =
  let in_turn () = Array.fold_left (one cmp) runs pops in
  if Array.length pops < few then in_turn ()
  else
    let popped () = Runs.pop_many cmp (Array.length pops) runs in
    match popped () with
    | popped, rest ->
        let hand_out i op =
          op.outcome <- Outcome.Is (if i < Array.length popped then Some popped.(i) else None)
        in
        Array.iteri hand_out pops;
        rest
    | exception _ -> in_turn ()

(* The pushes, then the pops. *)
let many cmp runs ops =
  let pushes = Fresh.filter (fun op -> Option.is_some op.element) ops in
  let pops = Fresh.filter (fun op -> Option.is_none op.element) ops in
  pop_all cmp (push_all cmp runs pushes) pops

let rec close state =
  match Atomic.get state with
  | Closed _ -> ()
  | Open runs as before ->
      if not (Atomic.compare_and_set state before (Closed runs)) then close state

let reopen state =
  match Atomic.get state with Closed runs -> Atomic.set state (Open runs) | Open _ -> ()

(* Replaces the runs by [f] of them, while nobody else does. *)
let closing state f =
  close state;
  match f (runs state) with
  | after -> Atomic.set state (Open after)
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      reopen state;
      Printexc.raise_with_backtrace exn backtrace

let create ?pool compare =
  let state = Atomic.make (Open Runs.empty) in
  let one op = closing state (fun runs -> one compare runs op) in
  let many ops = closing state (fun runs -> many compare runs ops) in
  { compare; state; gate = Gate.create ?pool ~one ~many () }

(* Operations by themselves *)

let submit t op =
  Gate.submit t.gate op;
  result op

(* Whoever was too slow this often takes part in a batch. *)
let attempts = 6

let rec push_after tries t x =
  match Atomic.get t.state with
  | Open runs as before when tries < attempts && not (Runs.is_about_to_merge runs) ->
      if not (Atomic.compare_and_set t.state before (Open (Runs.push t.compare runs x))) then begin
        Shared.pause (1 lsl tries);
        push_after (tries + 1) t x
      end
  | Open _ | Closed _ -> ignore (submit t (push_op x))

let rec pop_after tries t =
  match Atomic.get t.state with
  | Open runs as before when tries < attempts -> (
      match Runs.pop t.compare runs with
      | None -> None
      | Some (x, rest) ->
          let popped = Some x in
          if Atomic.compare_and_set t.state before (Open rest) then popped
          else begin
            Shared.pause (1 lsl tries);
            pop_after (tries + 1) t
          end)
  | Open _ | Closed _ -> submit t (pop_op ())

let push t x = push_after 0 t x
let pop_min t = pop_after 0 t
let peek t = Runs.peek (now t)

(* Many *)

let alone t f = Gate.alone t.gate (fun () -> closing t.state f)
let apply t ops = alone t (fun runs -> many t.compare runs ops)

let push_all t xs =
  let ops = Fresh.map push_op xs in
  apply t ops;
  Array.iter (fun op -> ignore (result op)) ops

let pop_many t n =
  if n < 0 then invalid_arg "Drover_batched.Priority_queue.pop_many: n < 0";
  let popped = ref [||] in
  alone t (fun runs ->
      let first, rest = Runs.pop_many t.compare n runs in
      popped := first;
      rest);
  !popped

(* Looking *)

let length t = (now t).length
let to_array t = Runs.to_array t.compare (now t)
let iter f t = Array.iter f (to_array t)
let validate t = Runs.validate t.compare (now t)
let batch_sizes t = Gate.batch_sizes t.gate
