let parkers : Parker.t list Atomic.t = Atomic.make []

let rec update step =
  let before = Atomic.get parkers in
  if not (Atomic.compare_and_set parkers before (step before)) then update step

let leave parker = update (List.filter (( != ) parker))
let wake_all () = List.iter Parker.wake (Atomic.get parkers)

(* Calls [f parker], where [parker] is woken each time that a place is free. *)
let among f =
  let parker = Parker.create () in
  let inside () =
    update (List.cons parker);
    f parker
  in
  Waiting.and_then (fun () -> leave parker) inside
