(* Requests that compute: only so many at a time, and each for a limited
   time. *)

let factors n =
  Drover.parallel_collect ~start:1 ~finish:n (fun d push ->
      if n mod d = 0 then push d)

(* In flight, and how many may be. *)
type room = { mutable taken : int; all : int }

let answer clock room ~deadline n =
  let compute () = Drover_eio.run (fun () -> factors n) in
  if room.taken = room.all then (503, "too many requests in flight")
  else begin
    room.taken <- room.taken + 1;
    Fun.protect ~finally:(fun () -> room.taken <- room.taken - 1)
    @@ fun () ->
    match Eio.Time.with_timeout_exn clock deadline compute with
    | factors -> (200, string_of_int (Array.length factors))
    | exception Eio.Time.Timeout -> (504, "it takes too long")
  end

let () =
  Eio_main.run @@ fun env ->
  let room = { taken = 0; all = 2 } in
  let answer = answer (Eio.Stdenv.clock env) room ~deadline:60. in
  Eio.Fiber.List.map answer [ 5_040; 1_000_000; 720 ]
  |> List.iter (fun (status, body) -> Printf.printf "%d %s\n" status body)
