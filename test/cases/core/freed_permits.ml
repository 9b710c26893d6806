(* What bounds the tasks of a scope: a permit for each, taken before it is spawned. That of a task which
   was skipped, as its scope was cancelled before it began, was lost, as nothing could give it back. *)

module Semaphore = Drover.Semaphore

let round room =
  Drover.Scope.run @@ fun s ->
  for i = 1 to 6 do
    Semaphore.spawn room s (fun () -> if i = 3 then failwith "the third")
  done

(* The rounds until a permit is missing. *)
let rec rounds room n =
  (try round room with Failure _ -> ());
  if n < 50 && Semaphore.free room = 2 then rounds room (n + 1) else n

let () =
  Case.main @@ fun () ->
  let room = Semaphore.create 2 in
  let n = Drover.run ~domains:2 (fun () -> rounds room 1) in
  Case.expect
    (Semaphore.free room = 2)
    "after %d scopes have failed %d of 2 permits are free" n (Semaphore.free room)
