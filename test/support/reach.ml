(* Weak pointers, and not finalisers: those of a domain do not run while it sleeps. *)

type t = (unit -> bool) list Atomic.t

let create () = Atomic.make []

let rec add r is_alive =
  let before = Atomic.get r in
  if not (Atomic.compare_and_set r before (is_alive :: before)) then add r is_alive

let watch r x =
  let pointer = Weak.create 1 in
  Weak.set pointer 0 (Some x);
  add r (fun () -> Weak.check pointer 0);
  x

let alive r =
  Gc.full_major ();
  List.length (List.filter (fun is_alive -> is_alive ()) (Atomic.get r))

let remain ?(most = 0) r =
  let until = Unix.gettimeofday () +. 60. in
  let rec wait () =
    let n = alive r in
    if n <= most || Unix.gettimeofday () > until then n
    else begin
      Thread.delay 0.001;
      wait ()
    end
  in
  wait ()
