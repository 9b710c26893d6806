(* Host.

   Domain-local-await has no way to ask whether anything is installed. But what plain threads wait
   with instead is always made by the same piece of code, whose address is the first field of the
   closure; so is what tasks wait with, which is installed where there is a worker. All else is a
   host's. It is asked at each wait, as hosts come and go. *)

(* Like that of [This_thread.number], a load without a call. The address is made an integer for the
   collector, too, at once. *)
external address : (unit -> unit) -> int = "%field0"

let[@inline] code_of (trigger : Domain_local_await.t) = address trigger.await lor 1
let no_host's = ref [ code_of (Domain_local_await.prepare_for_await ()) ]
let set_trigger_of_tasks trigger = no_host's := code_of trigger :: !no_host's

type caller = Fiber | Thread

let caller () =
  if List.memq (code_of (Domain_local_await.prepare_for_await ())) !no_host's then Thread else Fiber

let is_here () = caller () = Fiber

let rec park caller parker =
  match caller with
  | Thread -> Parker.park parker
  | Fiber -> (
      let { Domain_local_await.release; await } = Domain_local_await.prepare_for_await () in
      match Parker.park_by parker ~unblock:release await with
      | true -> ()
      | false -> park caller parker (* the host has resumed the fiber early *)
      | exception Effect.Unhandled _ -> Parker.park parker)
