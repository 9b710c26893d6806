(* Fold.

   A run of a loop (see [Run]) makes a state when it begins, and takes all of its iterations with
   that. So there are as many states as parts that others have taken, and one; and none is in two
   steps at a time, also when a step suspends. Where a run joins the part behind its own, the
   state of that is merged with its own, from left to right. *)

(* [make i] is the state of a run that begins with [i]. *)
let each ~make step run i =
  let acc = ref (step (make i) i) in
  while Run.more run do
    let loop = Run.loop run and domain = This_thread.domain () in
    while Run.has_next loop domain do
      acc := step !acc (Run.take loop)
    done
  done;
  !acc

let ranges ~make step run start =
  let halvings = Loops.halvings_of run in
  let[@inline] take acc i =
    let last = Loops.last_of_call run ~halvings ~start i in
    step acc i last
  in
  let acc = ref (take (make start) start) in
  while Run.more run do
    let loop = Run.loop run and domain = This_thread.domain () in
    while Run.has_next loop domain do
      acc := take !acc loop.next
    done
  done;
  !acc

let by_each grain ~start ~finish ~make ~merge step =
  Divisible.run ~grain ~combine:merge ~steps:(fun run i -> each ~make step run i) ~start ~finish

let by_ranges grain ~start ~finish ~make ~merge step =
  Divisible.run ~grain ~combine:merge ~steps:(fun run i -> ranges ~make step run i) ~start ~finish

let iteration (l : Hooks.loop) (merge, step) =
  (Loops.combined l merge, fun acc i -> l.iteration (fun () -> step acc i))

let piece (l : Hooks.loop) (merge, step) =
  (Loops.combined l merge, fun acc lo hi -> l.iteration (fun () -> step acc lo hi))

let fold_as caller ?grain ~start ~finish ~make ~merge step =
  let grain = Loops.grain_of caller grain in
  if finish < start then make ()
  else
    Hooks.loop ~combines:true (Loops.leaves ~start ~finish) iteration (merge, step)
      (fun (merge, step) -> by_each grain ~start ~finish ~make:(fun _ -> make ()) ~merge step)

let fold ?grain ~start ~finish ~make ~merge step =
  fold_as "parallel_fold" ?grain ~start ~finish ~make ~merge step

let from_to grain ~start ~finish ~make ~merge step =
  Hooks.loop ~combines:true (Loops.pieces ~start ~finish) piece (merge, step) (fun (merge, step) ->
      by_ranges grain ~start ~finish ~make ~merge step)

let fold_range ?grain ~start ~finish ~make ~merge step =
  let grain = Loops.grain_of "parallel_fold_range" grain in
  if finish < start then make ()
  else from_to grain ~start ~finish ~make:(fun _ -> make ()) ~merge step

(* Over 0..n-1 *)

let rec in_blocks step acc lo hi =
  if hi - lo < Spread.block then step acc lo hi
  else begin
    let acc = step acc lo (lo + Spread.block - 1) in
    Scope.check ();
    in_blocks step acc (lo + Spread.block) hi
  end

let rest grain n ~from ~make ~merge step =
  let make _ = make () and finish = n - 1 in
  if n - from > Spread.few then
    from_to grain ~start:from ~finish ~make ~merge (fun acc lo hi -> in_blocks step acc lo hi)
  else by_each grain ~start:from ~finish ~make ~merge (fun acc i -> step acc i i)

let over ?(grain = 1) n ~make ~merge step =
  let rest_of from = rest grain n ~from ~make ~merge step in
  let rest from _ = if from >= n then None else Some (from, rest_of from) in
  if n > 0 && not (Spread.is_short n) then begin
    Point.pass ();
    rest_of 0
  end
  else
    match Spread.split n (make ()) step rest with
    | acc, None -> acc
    | _, Some (0, all) -> all
    | acc, Some (_, behind) -> merge acc behind
