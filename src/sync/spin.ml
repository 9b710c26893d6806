(* Spin: a short wait for what another domain is about to do. *)

(* Some microseconds, which is what it costs to suspend a task and to wake it. Kernel: mutex. *)
let pauses = 200

(* Between two looks, each time twice as many, up to this: a look takes the cache line from whoever
   is waited for. *)
let longest = 32

(* In a pool of one, whoever is waited for most likely waits for this worker. *)
let is_worthwhile () = Array.length (Worker.here ()).team.members <> 1

let rec go n pause f =
  f ()
  || n > 0
     && begin
       Backoff.pause pause;
       go (n - pause) (Int.min longest (2 * pause)) f
     end

(* Calls [f] until it is [true], but not for long; says whether it was. *)
let until f = if is_worthwhile () then go pauses 1 f else f ()
