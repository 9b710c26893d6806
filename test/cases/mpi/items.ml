let items = Array.init 100 Fun.id
let journal folder = Filename.concat folder "journal"
let log folder = Filename.concat folder "log"

(* A byte for each item. *)
let note folder =
  Out_channel.with_open_gen [ Open_append; Open_creat ] 0o600 (log folder) (fun log ->
      output_char log '.')

let map ?(seconds = 0.001) folder =
  let item i =
    note folder;
    Unix.sleepf seconds;
    i
  in
  Drover_mpi.map ~journal:(journal folder) item items = items

let count folder = try (Unix.stat (log folder)).st_size with Unix.Unix_error _ -> 0

let computed folder f =
  let before = count folder in
  let v = f () in
  (v, count folder - before)

let in_ranks f = if not (Drover_mpi.run ~ranks:2 ~domains:2 f) then exit 1
