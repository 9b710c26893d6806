(* Recording.

   A sequence grows at its end, by the strand that is in it. It would have an event for each fork, so it
   shrinks behind that:
   1. A fork whose sides are one strand each, or a loop without calls in it, becomes a part of the strand
      around it if it took less than a [piece]. That is a microsecond, as no thief gains by less; later it
      is a certain part of all work so far, so that a recording grows with the logarithm of that.
   2. Iterations that took about as long as the ones before them belong to one run of iterations.
   3. Beyond [most] events there are no new sequences: of what would be in them only the work is
      counted. *)

type work = { ns : int; words : int; calls : int }

type sequence = { mutable items : item list; (* the latest first *) task : int (* or -1 *) }

and item =
  | Work of work
  | Fork of sequence * sequence
  | Loop of run list ref (* the latest first *)
  | Start of sequence
  | Signal of event
  | Wait of event

and run = Steps of int * work | Iteration of sequence
and event = { number : int; source : sequence; mutable is_awaited : bool }

type loop = { home : sequence; runs : run list ref; mutable count : int (* of runs *) }

let create ?(task = -1) () = { items = []; task }
let nowhere = create ()

(* What is in no sequence, as there were too many events. *)
let beyond = create ()
let no_event = { number = -1; source = nowhere; is_awaited = false }
let is_kept seq = seq != nowhere && seq != beyond

(* What this process records. Where pools on several domains write at the same time, a count may be lost. *)

let events = ref 0
let numbers = ref 0
let recorded = ref 0 (* nanoseconds of work *)
let unrecorded = ref 0 (* the same, beyond *)
let most = 100_000
let least_piece = 1_000 (* ns *)
let pieces = 4_096
let piece () = Int.max least_piece (!recorded / pieces)
let is_full () = !events >= most

let begin_ () =
  List.iter (fun count -> count := 0) [ events; numbers; recorded; unrecorded ];
  create ()

let next_number () =
  incr numbers;
  !numbers - 1

let push seq item =
  seq.items <- item :: seq.items;
  incr events

(* Work *)

let no_work = { ns = 0; words = 0; calls = 0 }
let sum v w = { ns = v.ns + w.ns; words = v.words + w.words; calls = v.calls + w.calls }

let append seq w =
  match seq.items with
  | Work v :: rest -> seq.items <- Work (sum v w) :: rest
  | _ -> if w <> no_work then push seq (Work w)

let note seq ns =
  if seq == beyond then unrecorded := !unrecorded + ns else recorded := !recorded + ns

let work seq ~ns ~words =
  if seq != nowhere then begin
    note seq ns;
    if seq != beyond then append seq { ns; words; calls = 0 }
  end

(* If nothing else is in it *)
let only_work seq = match seq.items with [] -> Some no_work | [ Work w ] -> Some w | _ -> None

let words seq =
  let add n item = match item with Work w -> n + w.words | _ -> n in
  List.fold_left add 0 seq.items

(* Forks *)

let part_of seq = if not (is_kept seq) then seq else if is_full () then beyond else create ()

let fork seq =
  let left = part_of seq and right = part_of seq in
  if is_kept left && is_kept right then push seq (Fork (left, right));
  (left, right)

let end_fork seq left right =
  match (seq.items, only_work left, only_work right) with
  | Fork (l, _) :: rest, Some v, Some w when l == left && v.ns + w.ns < piece () ->
      seq.items <- rest;
      events := !events - 3;
      append seq { (sum v w) with calls = v.calls + w.calls + 1 }
  | _ -> ()

(* Loops *)

let most_runs = 512

let loop seq =
  let home = part_of seq and runs = ref [] in
  if is_kept home then push seq (Loop runs);
  { home; runs; count = 0 }

let iteration l = part_of l.home

let are_alike n v m w =
  let v = v.ns / n and w = w.ns / m in
  Int.abs (v - w) <= 1 + (Int.max v w / 8)

let rec merge_pairs = function
  | Steps (n, v) :: Steps (m, w) :: rest -> Steps (n + m, sum v w) :: merge_pairs rest
  | run :: rest -> run :: merge_pairs rest
  | [] -> []

let add_run l run =
  l.runs := run :: !(l.runs);
  l.count <- l.count + 1;
  incr events;
  if l.count mod most_runs = 0 then begin
    l.runs := merge_pairs !(l.runs);
    let count = List.length !(l.runs) in
    events := !events - l.count + count;
    l.count <- count
  end

let add_steps l n w =
  match !(l.runs) with
  | Steps (m, v) :: rest when are_alike m v n w -> l.runs := Steps (m + n, sum v w) :: rest
  | _ -> add_run l (Steps (n, w))

let steps l n ~ns ~words =
  if l.home != nowhere && n > 0 then begin
    note l.home ns;
    if l.home != beyond then add_steps l n { ns; words; calls = 0 }
  end

let end_iteration l seq =
  if is_kept l.home && is_kept seq then
    match only_work seq with Some w -> add_steps l 1 w | None -> add_run l (Iteration seq)

(* The steps before the iteration in [seq] were in one strand with its beginning. *)
let split_steps l seq n ~ns =
  if n > 0 && is_kept l.home then
    match List.rev seq.items with
    | Work w :: rest ->
        seq.items <- List.rev (Work { w with ns = w.ns - ns } :: rest);
        add_steps l n { no_work with ns }
    | _ -> ()

let end_steps l seq n =
  let add w item = match item with Work v -> sum v w | _ -> w in
  let w = if is_kept seq then List.fold_left add no_work seq.items else no_work in
  if n > 0 && w <> no_work then begin
    seq.items <- [];
    add_steps l n w
  end

let end_loop seq l =
  let total = List.fold_left (fun w r -> match r with Steps (_, v) -> sum v w | _ -> w) no_work in
  let is_plain = List.for_all (function Steps _ -> true | Iteration _ -> false) in
  match (seq.items, !(l.runs)) with
  | Loop runs :: rest, all when runs == l.runs && is_plain all && (total all).ns < piece () ->
      seq.items <- rest;
      events := !events - 1 - List.length all;
      let w = total all in
      append seq { w with calls = w.calls + 1 }
  | _ -> ()

(* Tasks, and who waits for whom *)

let task seq =
  if not (is_kept seq) then seq
  else if is_full () then beyond
  else begin
    let body = create ~task:(next_number ()) () in
    push seq (Start body);
    body
  end

(* As good as at once *)
let is_short w = w.ns < least_piece

let signal seq =
  match seq.items with
  | Signal e :: _ -> e
  | Work w :: Signal e :: _ when is_short w -> e
  | _ when is_full () || not (is_kept seq) -> no_event
  | _ ->
      let e = { number = next_number (); source = seq; is_awaited = false } in
      push seq (Signal e);
      e

let wait seq e =
  if e != no_event && e.source != seq && is_kept seq then
    match seq.items with
    | Wait e' :: _ when e' == e -> ()
    | Work w :: Wait e' :: _ when e' == e && is_short w -> ()
    | _ when is_full () -> ()
    | _ ->
        e.is_awaited <- true;
        push seq (Wait e)

(* To a file; see the reader, sim/replay/recorded.ml. *)

let is_end e =
  match e.source.items with
  | Signal e' :: _ -> e' == e
  | Work w :: Signal e' :: _ -> e' == e && is_short w
  | _ -> false

let write oc root =
  let line format = Printf.fprintf oc (format ^^ "\n") in
  let work w = Printf.sprintf "%d %d %d" (Int.max 0 w.ns) (Int.max 0 w.words) w.calls in
  let rec sequence seq =
    List.iter item (List.rev seq.items);
    line "."
  and item = function
    | Work w -> line "w %s" (work w)
    | Fork (left, right) ->
        line "f";
        sequence left;
        sequence right
    | Loop runs ->
        line "l";
        List.iter run (List.rev !runs);
        line "."
    | Start body ->
        line "t %d" body.task;
        sequence body
    | Signal e -> if e.is_awaited then line "s %d" e.number
    | Wait e -> line "a %d %d" e.number (if is_end e then e.source.task else -1)
  and run = function
    | Steps (n, w) -> line "r %d %s" n (work w)
    | Iteration seq ->
        line "i";
        sequence seq
  in
  line "recording %d %d %d %d" !events (piece ()) !numbers !unrecorded;
  sequence root
