(* Duties.

   They are few, and short, but that of the poller's thread. Only the thread itself comes to its own:
   so nobody else need see them, and the list is atomic only because all threads change it. *)

type duty = { thread : int; hand_over : unit -> unit }

let all : duty list Atomic.t = Atomic.make []
let drop duty = Shared.change all (List.filter (( != ) duty))

let during ~hand_over f =
  let duty = { thread = This_thread.number (); hand_over } in
  let take_up () =
    Shared.push all duty;
    f ()
  in
  Critical.and_then (fun () -> drop duty) take_up

let hand_over_all () =
  match Atomic.get all with
  | [] -> ()
  | duties ->
      let me = This_thread.number () in
      List.iter (fun duty -> if duty.thread = me then duty.hand_over ()) duties
