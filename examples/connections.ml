(* Connections that tasks share: about one for each worker, each used by one task
   at a time, and closed in the end, or when its use has failed. *)

type connection = { number : int; mutable is_open : bool }

let opened = Atomic.make 0
let closed = Atomic.make 0
let connect () = { number = Atomic.fetch_and_add opened 1; is_open = true }

let close connection =
  connection.is_open <- false;
  Atomic.incr closed

let ask connection i =
  if not connection.is_open then failwith "closed";
  Drover.sleep 0.0001;
  if i = 50 then failwith "the connection is lost";
  connection.number >= 0

let answers n =
  let connections = Drover.Scratch.create ~release:close connect in
  let answer i =
    match Drover.Scratch.use connections (fun c -> ask c i) with
    | answer -> answer
    | exception Failure _ -> false
  in
  Fun.protect
    ~finally:(fun () -> Drover.Scratch.clear connections)
    (fun () -> Drover.Array.init n answer)

let () =
  let answers = answers 100 in
  Printf.printf "%d answers\n" (Drover.Array.count Fun.id answers);
  Printf.printf "all are closed: %b\n"
    (Atomic.get closed = Atomic.get opened)
