type site = { place : string; calls : int; work : float; span : float }
type t = { work : float; span : float; burdened_span : float; sites : site list }

let default_steal = 10e-6
let outermost = "outside"
let seconds ns = float ns *. 1e-9

let site_of (result : Profile.result) site =
  let of_tally tally = Option.value (Profile.Sites.find_opt site tally) ~default:0 in
  {
    place = (if site = Call_site.outermost then outermost else Call_site.place site);
    calls = of_tally result.calls;
    work = seconds (of_tally result.work);
    span = seconds (of_tally result.last.path);
  }

let of_profile (result : Profile.result) =
  let sites =
    List.map (fun (site, _) -> site_of result site) (Profile.Sites.bindings result.work)
  in
  {
    work = List.fold_left (fun sum (s : site) -> sum +. s.work) 0. sites;
    span = seconds result.last.span;
    burdened_span = seconds result.last.burdened;
    sites = List.sort (fun (a : site) (b : site) -> Float.compare b.span a.span) sites;
  }

(* One measurement at a time; and what was there before it. *)

let is_measuring = Atomic.make false

type turn = { mutable is_on : bool; mutable hooks_before : Hooks.t }

let turn () = { is_on = false; hooks_before = Hooks.none }

(* One step each. *)

let[@poll error] enter turn =
  if Atomic.compare_and_set is_measuring false true then begin
    turn.hooks_before <- !Hooks.installed;
    turn.is_on <- true
  end;
  turn.is_on

let[@poll error] leave turn =
  if turn.is_on then begin
    turn.is_on <- false;
    Hooks.installed := turn.hooks_before;
    Atomic.set is_measuring false
  end

let have_workers n = Hooks.installed := { !Hooks.installed with pool_size = Some n }

let begin_ ~clock ~steal =
  Profile.turn_on ~clock ~steal:(int_of_float (steal *. 1e9));
  have_workers 1

let result last = of_profile (Profile.result last)

(* A whole program, for the command [drover scale], which names a file for the result, or says how
   many workers pools are to have, 0 being one for each processor. This is not for the programs that
   this one starts. *)

let variable = "DROVER_SCALE"
let workers_variable = "DROVER_SCALE_WORKERS"

let take variable =
  let value = Option.value (Sys.getenv_opt variable) ~default:"" in
  if value <> "" then Unix.putenv variable "";
  value

let write file t =
  Out_channel.with_open_bin file (fun oc ->
      Printf.fprintf oc "program %h %h %h\n" t.work t.span t.burdened_span;
      List.iter
        (fun s -> Printf.fprintf oc "site %d %h %h %s\n" s.calls s.work s.span s.place)
        t.sites)

(* The file is there from the start, and empty until the program ends: so a program that is killed, or
   ends past [at_exit], has said at least that it uses this library. *)
let measure_program file =
  let program = Unix.getpid () in
  let finish () = if Unix.getpid () = program then write file (result (Profile.stop ())) in
  Out_channel.with_open_bin file ignore;
  ignore (enter (turn ()) : bool);
  at_exit finish;
  begin_ ~clock:Profile.monotonic ~steal:default_steal;
  Profile.start Profile.origin

let follow_environment () =
  (match int_of_string_opt (take workers_variable) with
  | Some 0 -> have_workers (Processors.available ())
  | Some n when n > 0 -> have_workers n
  | Some _ | None -> ());
  match take variable with "" -> () | file -> measure_program file
