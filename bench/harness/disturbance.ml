(* In the system's ticks, of which a second has a hundred. *)
let ticks = 100.

type t = { at : float; busy : float; own : float; waited : float }

let busy_of_line line =
  Scanf.sscanf line "cpu %f %f %f %f %f %f %f %f"
    (fun user nice system _idle _wait interrupts soft stolen ->
      (user +. nice +. system +. interrupts +. soft +. stolen) /. ticks)

let first_line file = In_channel.with_open_bin file In_channel.input_line

let waited_of_thread thread =
  match first_line (Printf.sprintf "/proc/self/task/%s/schedstat" thread) with
  | Some line -> Scanf.sscanf line "%f %f" (fun _ran waited -> waited *. 1e-9)
  | None -> 0.
  | exception Sys_error _ -> 0. (* It has ended. *)

let read () =
  let { Unix.tms_utime; tms_stime; _ } = Unix.times () in
  let busy = Option.fold (first_line "/proc/stat") ~none:0. ~some:busy_of_line in
  let waited =
    Array.fold_left
      (fun sum thread -> sum +. waited_of_thread thread)
      0. (Sys.readdir "/proc/self/task")
  in
  { at = Unix.gettimeofday (); busy; own = tms_utime +. tms_stime; waited }

type share = { others : float; waiting : float }

let share before after =
  let seconds = after.at -. before.at in
  let others = after.busy -. before.busy -. (after.own -. before.own) in
  {
    others = others /. seconds;
    waiting = Float.max 0. ((after.waited -. before.waited) /. seconds);
  }

let total { others; waiting } = others +. waiting
let is_disturbed { others; waiting } = others > 0.15 || waiting > 0.05

let undisturbed ~tries sample =
  let rec go tries best =
    let before = read () in
    let v = sample () in
    let share = share before (read ()) in
    let best =
      match best with
      | Some (_, least) when total least < total share -> best
      | Some _ | None -> Some (v, share)
    in
    if is_disturbed share && tries > 1 then go (tries - 1) best else Option.get best
  in
  go tries None
