(* A read-write lock: many tasks read some settings at a time, for as long as a
   request takes, and one at a time changes them, so that no request sees a part
   of a change. *)

type settings = { mutable host : string; mutable port : int }

let settings = { host = "a.example"; port = 1 }
let lock = Drover.Rwlock.create ()

let request () =
  Drover.Rwlock.read lock (fun () ->
      let host = settings.host in
      Drover.sleep 0.001;
      (host, settings.port))

let change host port =
  Drover.Rwlock.write lock (fun () ->
      settings.host <- host;
      Drover.sleep 0.001;
      settings.port <- port)

let () =
  let answers, () =
    Drover.both
      (fun () -> Drover.Array.init 20 (fun _ -> request ()))
      (fun () -> change "b.example" 2)
  in
  let whole = function
    | "a.example", 1 | "b.example", 2 -> true
    | _ -> false
  in
  Printf.printf "each is whole: %b\n" (Array.for_all whole answers)
