(* Spread.

   A task hands the work to [Loops] at once. Outside a task a pool must first be woken, which
   takes longer than small work: there the first elements are run and timed, and what is left
   goes to the pool as soon as [patience] is over. But the first element may be a system call
   that takes long: so the pool is woken at once where that was not done lately. *)

(* Seconds; about what it takes to wake a worker. *)
let patience = 2e-6
let many = 16_384

(* Seconds. To wake a worker so seldom costs next to nothing. Probe: small. *)
let seldom = 1e-3

(* When the pool was last woken at once. Races with other threads: it may be woken once more. *)
let woke = ref 0.

let is_due now =
  now -. !woke > seldom
  && begin
    woke := now;
    true
  end

let in_task () = Option.is_some (Worker.mine ())

let rec lead_from acc step ~since ~from ~size n =
  let upto = if size >= n - from then n else from + size in
  let acc = step acc from (upto - 1) in
  if upto = n || Unix.gettimeofday () -. since > patience then (acc, upto)
  else lead_from acc step ~since ~from:upto ~size:(size * 16) n

let lead acc ~at_once n step =
  if at_once || n = 0 then (acc, 0)
  else
    let since = Unix.gettimeofday () in
    if n > 1 && (not (in_task ())) && is_due since then (acc, 0)
    else lead_from acc step ~since ~from:0 ~size:1 n

let is_for_all n = n >= many || in_task ()
let few = 128
let block = 4096

let rec in_blocks body lo hi =
  if hi - lo < block then body lo hi
  else begin
    body lo (lo + block - 1);
    Scope.check ();
    in_blocks body (lo + block) hi
  end

let rest body ~from n =
  if n - from > few then Loops.range ~start:from ~finish:(n - 1) (in_blocks body)
  else if from < n then Loops.iter ~start:from ~finish:(n - 1) (fun i -> body i i)

let over n body =
  let (), from = lead () ~at_once:(is_for_all n) n (fun () lo hi -> body lo hi) in
  rest body ~from n

let light n body =
  if n >= many then Loops.range ~start:0 ~finish:(n - 1) (in_blocks body)
  else if n > 0 then body 0 (n - 1)
