module Task = Domainslib.Task

let per_domain = 8

let map pool n f =
  let wanted = per_domain * Task.get_num_domains pool in
  let size = max 1 ((n + wanted - 1) / wanted) in
  let count = (n + size - 1) / size in
  let start i = Task.async pool (fun () -> f (i * size) (min n ((i + 1) * size) - 1)) in
  List.map (Task.await pool) (List.init count start)

(* More chunks than that are never best. *)
let most_chunks = 100_000

let candidates n =
  let rec from size = if size >= n then [] else size :: from (size * 4) in
  from (max 1 (n / most_chunks))

let seconds f =
  let start = Unix.gettimeofday () in
  f ();
  Unix.gettimeofday () -. start

let best pool n loop =
  let default = max 1 (n / (8 * Task.get_num_domains pool)) in
  let least size =
    let run () = seconds (fun () -> loop size) in
    Float.min (run ()) (Float.min (run ()) (run ()))
  in
  let timed size = (least size, size) in
  snd (List.fold_left min (infinity, default) (List.map timed (default :: candidates n)))
