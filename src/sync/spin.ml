(* Spin: a short wait for what another domain is about to do. *)

(* Some microseconds, which is what it costs to suspend a task and to wake it. Kernel: mutex. *)
let pauses = 200

(* Between two looks, each time twice as many, up to this: a look takes the cache line from the domain
   that the caller waits for. *)
let longest = 32

(* Calls [f] until it is [true], but not for long; says whether it was. In a pool of one, another task
   most likely waits for this worker. *)
let until f =
  let rec go n pause =
    f ()
    || n > 0
       && begin
         Shared.pause pause;
         go (n - pause) (Int.min longest (2 * pause))
       end
  in
  let is_alone = Array.length (Worker.here ()).team.members = 1 in
  go (if is_alone then 0 else pauses) 1
