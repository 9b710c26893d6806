let pause n =
  for _ = 1 to n do
    Domain.cpu_relax ()
  done

(* Time for a hundred others to make a step each. *)
let most_pause = 1024

let back_off n =
  pause n;
  Int.min most_pause (2 * n)

let rec update_from cell step pause =
  let before = Atomic.get cell in
  if Atomic.compare_and_set cell before (step before) then before
  else update_from cell step (back_off pause)

let update cell step = update_from cell step 1
let change cell step = ignore (update cell step)
let push cell x = change cell (fun items -> x :: items)

let has_turn next ~pause now =
  let now = Float.to_int (now *. 1e6) and turn = Atomic.get next in
  now >= turn && Atomic.compare_and_set next turn (now + pause)

module Register = struct
  type 'a t = { members : 'a list; length : int; cleared_at : int }

  let fewest = 16
  let empty = { members = []; length = 0; cleared_at = fewest }

  let add ~still r x =
    if r.length < 2 * r.cleared_at then { r with members = x :: r.members; length = r.length + 1 }
    else
      let members = x :: List.filter still r.members in
      let length = List.length members in
      { members; length; cleared_at = Int.max fewest length }
end

(* All effects pass. *)
let on_new_stack f x =
  match f x with v -> v | effect _, _ when Sys.opaque_identity false -> assert false

(* A function that calls itself at its end has a safepoint at its start, where a signal's handler may raise: so
   the call is not the last thing done here, nor in others that are to come to their end in any case. *)
let rec insist f x =
  try f x with
  | Stack_overflow -> on_new_stack (insist f) x
  | exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      insist f x;
      Printexc.raise_with_backtrace exn backtrace
