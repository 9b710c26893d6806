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

(* Runs [body] on more and more elements, and returns the first that is left; [n] if none is. *)
let rec lead body ~since ~from ~step n =
  let upto = if step >= n - from then n else from + step in
  body from (upto - 1);
  if upto = n || Unix.gettimeofday () -. since > patience then upto
  else lead body ~since ~from:upto ~step:(step * 16) n

let in_task () = Option.is_some (Worker.mine ())
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
  if n >= many || in_task () then rest body ~from:0 n
  else if n > 0 then
    let since = Unix.gettimeofday () in
    let from = if n > 1 && is_due since then 0 else lead body ~since ~from:0 ~step:1 n in
    rest body ~from n

let light n body =
  if n >= many then Loops.range ~start:0 ~finish:(n - 1) (in_blocks body)
  else if n > 0 then body 0 (n - 1)
