let here () = Thread.id (Thread.self ())

(* A frame may stand for several functions, one inlined in the other. *)
let depth = 2
let frames = 2 * depth

let is_of modules slot =
  match Printexc.Slot.name slot with
  | Some name -> List.exists (fun prefix -> String.starts_with ~prefix name) modules
  | None -> false

let is_within modules (allocation : Gc.Memprof.allocation) =
  match Printexc.backtrace_slots allocation.callstack with
  | Some slots -> Seq.exists (is_of modules) (Seq.take depth (Array.to_seq slots))
  | None -> false

(* Other threads run the tracker, too, also those of domains that begin meanwhile. *)
let where is_meant n callback f =
  let left = Atomic.make n in
  let look allocation =
    if is_meant allocation && Atomic.fetch_and_add left (-1) = 1 then callback ();
    None
  in
  let tracker = { Gc.Memprof.null_tracker with alloc_minor = look; alloc_major = look } in
  ignore (Gc.Memprof.start ~sampling_rate:1. ~callstack_size:frames tracker : Gc.Memprof.t);
  (* Nothing is allocated before the handler: what [callback] raises there would leave Memprof started.
     So would what it raises in [stop], which calls it for allocations of the runtime's own. *)
  match f () with
  | v ->
      Atomic.set left 0;
      Gc.Memprof.stop ();
      v
  | exception exn ->
      Atomic.set left 0;
      Gc.Memprof.stop ();
      raise exn

let at ?within ?(since = ref true) n callback f =
  let me = here () in
  let is_within = match within with Some modules -> is_within modules | None -> Fun.const true in
  where (fun allocation -> here () = me && !since && is_within allocation) n callback f

let beside n callback f =
  let me = here () in
  where (fun _ -> here () <> me) n callback f

let raising ?within ?since n exn f =
  let has_raised = ref false in
  let callback () =
    has_raised := true;
    raise exn
  in
  let result =
    match at ?within ?since n callback f with
    | v -> Some v
    | exception raised when raised == exn -> None
  in
  (result, !has_raised)

let at_each ?(most = max_int) law =
  let rec from n = if n <= most && law n then from (n + 1) else n - 1 in
  from 1
