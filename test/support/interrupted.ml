type moment = { number : int; has_come : bool Atomic.t }

let nth number = { number; has_come = Atomic.make false }
let number moment = moment.number
let has_come moment = Atomic.get moment.has_come
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
let where ?(again = 0) is_meant moment callback f =
  let left = Atomic.make moment.number in
  let look allocation =
    if is_meant allocation then begin
      let left = Atomic.fetch_and_add left (-1) in
      if left = 1 || left = 1 - again then begin
        Atomic.set moment.has_come true;
        callback ()
      end
    end;
    None
  in
  let tracker = { Gc.Memprof.null_tracker with alloc_minor = look; alloc_major = look } in
  ignore (Gc.Memprof.start ~sampling_rate:1. ~callstack_size:frames tracker : Gc.Memprof.t);
  (* Nothing is allocated before the handler: what [callback] raises there would leave Memprof started.
     So would what it raises in [stop], which calls it for allocations of the runtime's own. *)
  match f () with
  | v ->
      Atomic.set left min_int;
      Gc.Memprof.stop ();
      v
  | exception exn ->
      Atomic.set left min_int;
      Gc.Memprof.stop ();
      raise exn

let at ?within ?(since = ref true) ?again moment callback f =
  let me = here () in
  let is_within = match within with Some modules -> is_within modules | None -> Fun.const true in
  where ?again (fun allocation -> here () = me && !since && is_within allocation) moment callback f

let beside moment callback f =
  let me = here () in
  where (fun _ -> here () <> me) moment callback f

let raising ?within ?since moment exn f =
  match at ?within ?since moment (fun () -> raise exn) f with
  | v -> Some v
  | exception raised when raised == exn -> None

let at_each ?(most = max_int) law =
  let rec from n =
    let moment = nth n in
    if n <= most then law moment;
    if has_come moment then from (n + 1) else n - 1
  in
  from 1
