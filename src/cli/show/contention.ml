(* In seconds: what all processes of the machine used, what this one did, with those that it has started and waited
   for, and what time it was. *)
type moment = { all : float; own : float; at : float }
type t = moment option

let ticks_per_second = 100.

(* The first line of /proc/stat: "cpu", then ticks as user, nice, system, idle, waiting for devices,
   and more. *)
let used_ticks line =
  match List.filter_map float_of_string_opt (String.split_on_char ' ' line) with
  | user :: nice :: system :: _ -> Some (user +. nice +. system)
  | _ -> None

let used_here () =
  let { Unix.tms_utime; tms_stime; tms_cutime; tms_cstime } = Unix.times () in
  tms_utime +. tms_stime +. tms_cutime +. tms_cstime

let start () =
  match In_channel.with_open_bin "/proc/stat" In_channel.input_line with
  | exception Sys_error _ -> None
  | line ->
      let moment ticks =
        {
          all = ticks /. ticks_per_second;
          own = used_here ();
          at = Int64.to_float (Mtime_clock.elapsed_ns ()) *. 1e-9;
        }
      in
      Option.map moment (Option.bind line used_ticks)

(* In seconds of processor time: what other processes used, and what all processors offered. *)
let since before =
  let times a b =
    let offered = (b.at -. a.at) *. float (Domain.recommended_domain_count ()) in
    (Float.max 0. (b.all -. a.all -. (b.own -. a.own)), offered)
  in
  match (before, start ()) with Some a, Some b -> Some (times a b) | _ -> None

let others before = Option.map (fun (used, offered) -> used /. offered) (since before)
let idle before = Option.map (fun (used, offered) -> Float.max 0. (offered -. used)) (since before)
