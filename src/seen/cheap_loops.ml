(* Cheap loops. *)

let many = 1000

let around ~combines:_ n _ f run =
  if n < many then run f
  else begin
    let began = System.now () in
    let result = run f in
    Events.tell_time Events.loop_time (int_of_float ((System.now () -. began) *. 1e9));
    Events.tell Events.loop (Int.min n Events.largest);
    result
  end
