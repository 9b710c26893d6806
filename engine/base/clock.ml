(* Clock: seconds that only grow, whatever becomes of the computer's date. *)

let now () = Int64.to_float Runtime_events.Timestamp.(to_int64 (get_current ())) *. 1e-9
