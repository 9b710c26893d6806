(* Wake: a loop that is not short wakes a sleeper: at once, but seldom, as it may be a short one;
   otherwise when it has done [first_iterations], or the first took long. So a short loop pays for a
   look at the list of sleepers, and at the clock only where there are some. Kernels: for-tiny,
   nbody-planets. *)

let first_iterations = 32
let long_iteration = 0.5e-6 (* seconds *)

(* When the first iteration begins, if it is to be timed; else 0. *)
let before_first run =
  let w = Run.home run in
  if Sleepers.is_empty w.team.sleepers then 0.
  else begin
    let now = Unix.gettimeofday () in
    if Open_loops.may_wake w now then begin
      Team.notify w.team;
      0.
    end
    else now
  end

let after_first run since =
  let ({ Rest.loop; home; _ } as rest) = Run.rest run in
  if Worker.is_still home then begin
    if Rest.is_open rest then Rest.close rest;
    if since > 0. then
      if Unix.gettimeofday () -. since > long_iteration then Team.notify home.team
      else if loop.stop - loop.next > first_iterations then
        Open_loops.set_until home loop (loop.next + first_iterations)
  end
