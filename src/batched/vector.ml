(* A growing array behind a gate. *)

type 'a action = Append of 'a | Get | Set of 'a | Update of ('a -> 'a)

(* The outcome is the element that was there, or is appended. *)
type 'a op = { action : 'a action; mutable index : int; mutable outcome : 'a Outcome.t }

let make action index = { action; index; outcome = Outcome.Pending }
let append_op x = make (Append x) (-1)
let get_op i = make Get i
let set_op i x = make (Set x) i
let update_op i f = make (Update f) i
let element op = Outcome.get ~caller:"Vector" op.outcome

let index op =
  ignore (element op);
  op.index

(* Places from [length] on hold the element 0, or one that it was: so what is popped can be collected. *)
type 'a state = { mutable elements : 'a array; mutable length : int }
type 'a t = { state : 'a state; gate : 'a op Gate.t }

(* Shorter batches are not worth sorting. *)
let short = 1024

(* Room for [n] more, of which [x] is the first. *)
let reserve s n x =
  let wanted = s.length + n in
  if wanted > Array.length s.elements then begin
    let filling = if s.length = 0 then x else s.elements.(0) in
    let elements = Array.make (Int.max wanted (2 * Array.length s.elements)) filling in
    Drover.Array.blit s.elements 0 elements 0 s.length;
    s.elements <- elements
  end

(* The [n] places from [length] on, where others were. *)
let forget s n =
  if s.length = 0 then s.elements <- [||] else Array.fill s.elements s.length n s.elements.(0)

let put s op i x =
  op.index <- i;
  s.elements.(i) <- x;
  op.outcome <- Is x

let append s op x =
  reserve s 1 x;
  put s op s.length x;
  s.length <- s.length + 1

(* Not an append. *)
let change s op =
  let i = op.index in
  let look_and_change () =
    if i < 0 || i >= s.length then invalid_arg "Drover_batched.Vector: index out of bounds";
    let x = s.elements.(i) in
    (match op.action with
    | Get | Append _ -> ()
    | Set y -> s.elements.(i) <- y
    | Update f -> s.elements.(i) <- f x);
    x
  in
  op.outcome <- Outcome.catch look_and_change

let process_one s op = match op.action with Append x -> append s op x | _ -> change s op

let append_many s appends =
  if appends <> [||] then begin
    let n = Array.length appends and first = s.length in
    reserve s n (snd appends.(0));
    match Drover.Array.iteri (fun i (op, x) -> put s op (first + i) x) appends with
    | () -> s.length <- first + n
    | exception exn ->
        (* Such as the end of a scope: none of them has been appended. *)
        let backtrace = Printexc.get_raw_backtrace () in
        Array.iter (fun (op, _) -> op.outcome <- Pending) appends;
        forget s n;
        Printexc.raise_with_backtrace exn backtrace
  end

let change_many s ops =
  let n = Array.length ops in
  if n < short then Array.iter (change s) ops
  else begin
    Drover.Array.sort_by_key (fun op -> op.index) ops;
    let together i = ops.(i - 1).index = ops.(i).index in
    Pieces.iter n ~together (fun first last ->
        for i = first to last do
          change s ops.(i)
        done)
  end

let process s ops =
  append_many s
    (Fresh.filter_map (fun op -> match op.action with Append x -> Some (op, x) | _ -> None) ops);
  change_many s (Fresh.filter (fun op -> match op.action with Append _ -> false | _ -> true) ops)

let create ?pool () =
  let state = { elements = [||]; length = 0 } in
  let applied op = Outcome.is_settled op.outcome in
  (* To make room may take long, and so may the user's function. *)
  let is_short op =
    match op.action with
    | Append _ -> state.length < Array.length state.elements
    | Get | Set _ -> true
    | Update _ -> false
  in
  let gate =
    Gate.create ?pool ~applied ~is_short ~one:(process_one state) ~many:(process state) ()
  in
  { state; gate }

let submit t op =
  Gate.submit t.gate op;
  element op

let append t x =
  let op = append_op x in
  ignore (submit t op);
  op.index

let get t i = submit t (get_op i)
let set t i x = ignore (submit t (set_op i x))
let update t i f = ignore (submit t (update_op i f))
let apply t ops = Gate.alone t.gate (fun () -> process t.state ops)

let pop t =
  Gate.alone t.gate (fun () ->
      let s = t.state in
      if s.length = 0 then None
      else begin
        s.length <- s.length - 1;
        let x = s.elements.(s.length) in
        forget s 1;
        Some x
      end)

let append_all t xs =
  Gate.alone t.gate (fun () ->
      let s = t.state in
      let first = s.length and n = Array.length xs in
      if n > 0 then reserve s n xs.(0);
      Drover.Array.blit xs 0 s.elements first n;
      s.length <- first + n;
      first)

let length t = Gate.alone t.gate (fun () -> t.state.length)
let to_array t = Gate.alone t.gate (fun () -> Drover.Array.sub t.state.elements 0 t.state.length)
let iter f t = Array.iter f (to_array t)
let batch_sizes t = Gate.batch_sizes t.gate
