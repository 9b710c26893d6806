(* Sorted runs, which single operations replace by themselves; see [Root]. What takes longer is for a
   batch. *)

(* A push has an element; the outcome is what was popped. *)
type 'a op = { element : 'a option; mutable outcome : 'a option Outcome.t }
type 'a t = { compare : 'a -> 'a -> int; runs : 'a Runs.t Root.t; gate : 'a op Gate.t }

let push_op x = { element = Some x; outcome = Pending }
let pop_op () = { element = None; outcome = Pending }
let result op = Outcome.get ~caller:"Priority_queue.result" op.outcome
let now t = Root.get t.runs

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

let create ?pool compare =
  let runs = Root.create ~constant:Runs.Empty ~copy:Runs.copy Runs.Empty in
  let one op = Root.closing runs (fun before ~keep -> keep (one compare before op)) in
  let many ops = Root.closing runs (fun before ~keep -> keep (many compare before ops)) in
  { compare; runs; gate = Gate.create ?pool ~one ~many () }

(* Operations by themselves *)

let submit t op =
  Gate.submit t.gate op;
  result op

exception Merges

(* It may wait, and so is a place where a task that is cancelled raises. *)
let replace t change =
  Drover.Scope.check ();
  Root.replace t.runs change

let push t x =
  let add runs =
    if Runs.is_about_to_merge runs then raise_notrace Merges else Runs.push t.compare runs x
  in
  match replace t add with
  | Same | Replaced -> ()
  | Refused | (exception Merges) -> ignore (submit t (push_op x))

let pop_min t =
  let popped = ref None in
  let remove runs =
    match Runs.pop t.compare runs with
    | None ->
        popped := None;
        runs
    | Some (x, rest) ->
        popped := Some x;
        rest
  in
  match replace t remove with Same | Replaced -> !popped | Refused -> submit t (pop_op ())

let peek t = Runs.peek (now t)

(* Many *)

let alone t f =
  Gate.alone t.gate (fun () -> Root.closing t.runs (fun before ~keep -> keep (f before)))

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

let length t = Runs.length (now t)
let to_array t = Runs.to_array t.compare (now t)
let iter f t = Array.iter f (to_array t)
let validate t = Runs.validate t.compare (now t)
let batch_sizes t = Gate.batch_sizes t.gate
