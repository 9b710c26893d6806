let parkers : Parker.t list Atomic.t = Atomic.make []
let update step = Shared.change parkers step
let leave parker = update (List.filter (( != ) parker))
let wake_all () = List.iter Parker.wake (Atomic.get parkers)

(* Calls [f parker], where [parker] is woken each time that a place is free. *)
let among f =
  let parker = Parker.create () in
  let inside () =
    update (List.cons parker);
    f parker
  in
  Critical.and_then (fun () -> leave parker) inside
