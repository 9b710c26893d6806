(* Scalability: what a profile comes to, of a function or of a whole program. *)

type site = { place : string; calls : int; iterations : int; work : float; span : float }
type t = { work : float; span : float; burdened_span : float; measuring : float; sites : site list }

let default_steal = 10e-6

(* What is outside any call, with its work and its part of the span: before the first call, between,
   after the last. *)
let split_outside (profile : Profile.result) work span =
  match profile.borders with
  | None -> [ (Call_site.outermost, work, span) ]
  | Some (first, last) ->
      (* Another path than the one to the border may have become the longest. *)
      let span_at (border : Profile.border) = Int.min span border.span in
      let between =
        if first.call = last.call then "between " ^ first.call
        else Printf.sprintf "from %s to %s" first.call last.call
      in
      List.filter_map
        (fun (where, work, span) ->
          if work = 0 && span = 0 then None
          else Some (Printf.sprintf "%s, %s" Call_site.outermost where, work, span))
        [
          ("before " ^ first.call, first.work, span_at first);
          (between, last.work - first.work, span_at last - span_at first);
          ("after " ^ last.call, work - last.work, span - span_at last);
        ]

let of_profile (profile : Profile.result) =
  let seconds ns = float ns *. 1e-9 in
  let parts (place, work) =
    let span = Strand.of_tally place profile.last.path in
    if place = Call_site.outermost then split_outside profile work span else [ (place, work, span) ]
  in
  let site (place, work, span) =
    {
      place;
      calls = Strand.of_tally place profile.calls;
      iterations = Strand.of_tally place profile.iterations;
      work = seconds work;
      span = seconds span;
    }
  in
  let sites = List.map site (List.concat_map parts (Strand.Sites.bindings profile.work)) in
  {
    work = List.fold_left (fun sum (s : site) -> sum +. s.work) 0. sites;
    span = seconds profile.last.span;
    burdened_span = seconds profile.last.burdened;
    measuring = seconds profile.measuring;
    sites = List.sort (fun (a : site) (b : site) -> Float.compare b.span a.span) sites;
  }

let have_workers n = Hooks.installed := { !Hooks.installed with pool_size = Some n }

let begin_ ?records ~clock ~steal () =
  let beginning = Profile.turn_on ?records ~clock ~steal:(int_of_float (steal *. 1e9)) () in
  have_workers 1;
  beginning

(* One measurement at a time: the hooks that were there before it. *)
let hooks_before : Hooks.t option Atomic.t = Atomic.make None

let measure ?(steal = default_steal) ?(clock = Strand.monotonic) f =
  let before = Some !Hooks.installed and is_mine = ref false and last = ref Strand.origin in
  let run () = Strand.strand (begin_ ~clock ~steal ()) (( := ) last) f
  and measured run =
    (* No safepoint lies between the two steps, here and in [finally]. *)
    is_mine := Atomic.compare_and_set hooks_before None before;
    if not !is_mine then invalid_arg "Drover.Scalability.measure: a measurement is in progress";
    let outcome = Failure.catch (fun () -> Pool.run_in_new ~domains:1 run) in
    (outcome, of_profile (Profile.result !last))
  and finally () =
    if !is_mine then begin
      Option.iter (( := ) Hooks.installed) before;
      Atomic.set hooks_before None
    end
  in
  let outcome, measured = Fun.protect ~finally (fun () -> measured run) in
  (Failure.get outcome, measured)

let parallelism t = t.work /. t.span
let burdened_parallelism t = t.work /. t.burdened_span

let is_outside s =
  s.place = Call_site.outermost || String.starts_with ~prefix:(Call_site.outermost ^ ", ") s.place

let outside t =
  let outside = List.filter is_outside t.sites in
  List.fold_left (fun sum (s : site) -> sum +. s.work) 0. outside /. t.work

(* Predictions *)

type prediction = { lower : float; likely : float; upper : float }

let predict t ~cores =
  if cores < 1 then invalid_arg "Drover.Scalability.predict: cores < 1";
  let p = float cores and burdened = t.burdened_span in
  if cores = 1 then { lower = 1.; likely = 1.; upper = 1. }
  else
    {
      (* 1.7 is twice the span coefficient of Cilkview. *)
      lower = t.work /. ((t.work /. p) +. (1.7 *. burdened));
      likely = t.work /. (((t.work -. burdened) /. p) +. burdened);
      upper = Float.min p (parallelism t);
    }

(* A whole program, for the command [drover scale], which names a file for the result, or says how
   many workers pools are to have, 0 being one for each processor. *)

let write file t (record : Recording.sequence) =
  Out_channel.with_open_bin file (fun oc ->
      Printf.fprintf oc "program %h %h %h %h\n" t.work t.span t.burdened_span t.measuring;
      List.iter
        (fun s ->
          Printf.fprintf oc "site %d %d %h %h %s\n" s.calls s.iterations s.work s.span s.place)
        t.sites;
      if record != Recording.nowhere then Recording.write oc record)

(* The file is there from the start, and empty until the program ends: so a program that is killed, or
   ends past [at_exit], has said at least that it uses this library. *)
let measure_program file ~records =
  let program = Unix.getpid () in
  Out_channel.with_open_bin file ignore;
  Atomic.set hooks_before (Some !Hooks.installed);
  let beginning = begin_ ~records ~clock:Strand.monotonic ~steal:default_steal () in
  let finish () =
    if Unix.getpid () = program then
      write file (of_profile (Profile.result (Strand.stop ()))) beginning.record
  in
  at_exit finish;
  Strand.start beginning

(* When the program begins. *)
let () =
  (* Not for the programs that this one starts. *)
  let take variable =
    let value = Option.value (Sys.getenv_opt variable) ~default:"" in
    if value <> "" then Unix.putenv variable "";
    value
  in
  (match int_of_string_opt (take "DROVER_SCALE_WORKERS") with
  | Some 0 -> have_workers (Processors.available ())
  | Some n when n > 0 -> have_workers n
  | Some _ | None -> ());
  let records = take "DROVER_SCALE_RECORDS" <> "" in
  match take "DROVER_SCALE" with "" -> () | file -> measure_program file ~records
