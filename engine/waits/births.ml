(* Births.

   OCaml has a domain run callbacks before it has its domain-local state, and a finaliser that reads
   some then is a segmentation fault. A new domain has no finalisers of its own, but takes over those
   that others have left when they ended, as each domain does in its slices of the major collection.
   So whoever makes a domain takes them over first, and none of Drover's domains ends meanwhile:

   a birth: count it -> wait for those that end -> take over -> spawn -> it has begun: count it off
   an end:  none counted? -> be listed -> still none counted? -> end
                                          else be listed no more, and wait

   Each is seen before it looks: [awaited] and [endings] are partners. A domain that was joined has handed
   its finalisers over: OCaml lets the joiner go after that.

   No signal's handler interrupts a birth: it might close a pool, and so wait for ends, which wait for
   that birth. A finaliser may, or a callback of Memprof; so an end loses its patience. It may even wait
   for the very domain whose birth it has interrupted: whoever counts on one sees to that, see [Duty]. *)

let awaited = Atomic.make 0

type birth = { is_awaited : bool Atomic.t }

let[@poll error] count birth =
  ignore (Atomic.exchange birth.is_awaited true : bool);
  ignore (Atomic.fetch_and_add awaited 1 : int)

(* It has begun, or will not come. May be called again. *)
let[@poll error] count_off birth =
  if Atomic.exchange birth.is_awaited false then ignore (Atomic.fetch_and_add awaited (-1) : int)

type ending = { domain : Domain.id; thread : string option; since : float }

let endings : ending list Atomic.t = Atomic.make []
let patience = 1. (* seconds: a thread that a task has made may keep its domain for ever *)
let patience_to_end = 2. (* seconds: more than a birth takes that waits for such a domain *)
let patience_unseen = 0.1 (* seconds, where the system does not tell about threads *)
let pause = 1e-4 (* seconds *)
let ending () = { domain = Domain.self (); thread = This_thread.directory (); since = Clock.now () }

let is_left now e =
  match e.thread with
  | Some thread -> now -. e.since < patience && Sys.file_exists thread
  | None -> now -. e.since < patience_unseen

let has_ended domain = Shared.change endings (List.filter (fun e -> e.domain <> domain))
let others_end () = List.exists (fun e -> e.domain <> Domain.self ()) (Atomic.get endings)

(* A domain does not end before its own threads. *)
let rec await_ends () =
  let now = Clock.now () in
  Shared.change endings (List.filter (is_left now));
  if others_end () then begin
    Thread.delay pause;
    await_ends ()
  end

(* A slice begins with that, however small it is. Of our domains only those have finalisers that had a
   task. *)
let are_left = Atomic.make false
let leaves_finalisers () = Atomic.set are_left true

let take_over_finalisers () =
  if Atomic.get are_left && Atomic.exchange are_left false then ignore (Gc.major_slice 1 : int)

(* What that runs may have waited for another end. *)
let rec prepare_birth () =
  await_ends ();
  take_over_finalisers ();
  if others_end () then prepare_birth ()

let rec prepare_end ~until =
  let is_to_wait () = Atomic.get awaited > 0 && Clock.now () < until in
  if is_to_wait () then begin
    Thread.delay pause;
    prepare_end ~until
  end
  else begin
    let e = ending () in
    Shared.push endings e;
    if is_to_wait () then begin
      Shared.change endings (List.filter (( != ) e));
      prepare_end ~until
    end
  end

let prepare_end () = prepare_end ~until:(Clock.now () +. patience_to_end)

let spawn ~keep live =
  let birth = { is_awaited = Atomic.make false } in
  let begin_and_live () =
    count_off birth;
    Critical.and_then prepare_end live
  in
  let make () =
    count birth;
    prepare_birth ();
    match Domain.spawn begin_and_live with
    | domain ->
        keep domain;
        true
    | exception (Failure _ | Sys_error _) ->
        count_off birth;
        false
  in
  match Signals.with_all_blocked make with
  | is_born -> is_born
  | exception exn -> Critical.raise_after count_off birth exn
