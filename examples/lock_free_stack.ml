(* A stack for tasks and threads that nobody ever waits at: its whole state is one immutable list
   behind an atomic, and whoever is overtaken tries again. *)

module Lock_free_stack = struct
  type 'a t = 'a list Atomic.t

  let create () : 'a t = Atomic.make []

  let rec push s x =
    let before = Atomic.get s in
    if not (Atomic.compare_and_set s before (x :: before)) then push s x

  let rec pop s =
    match Atomic.get s with
    | [] -> None
    | x :: rest as before ->
        if Atomic.compare_and_set s before rest then Some x else pop s
end

let () =
  let s = Lock_free_stack.create () in
  Drover.parallel_for ~start:1 ~finish:1000 (Lock_free_stack.push s);
  let sum =
    Drover.parallel_reduce ~start:1 ~finish:1000 ~init:0 ~combine:( + )
      (fun _ -> Option.get (Lock_free_stack.pop s))
  in
  Printf.printf "popped 1000 numbers, %d in all\n" sum;
  Printf.printf "empty: %b\n" (Lock_free_stack.pop s = None)
