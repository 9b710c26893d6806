open Drover_show

(* The runtime writes a ring of events per domain; each phase of the collector has a begin and an
   end, properly nested. A pause is an outermost pair. *)

type t = {
  count : int;
  largest : float;
  p99 : float;
  share : float;
  histogram : int array;
  lost : int;
}

(* Powers of two of a microsecond. *)
let bounds = Array.init 20 (fun i -> 1e-6 *. float (1 lsl i))
let empty_histogram = Array.map (fun _ -> 0) bounds
let none = { count = 0; largest = 0.; p99 = 0.; share = 0.; histogram = empty_histogram; lost = 0 }

let histogram_of pauses =
  let histogram = Array.copy empty_histogram in
  let count pause =
    match Array.find_index (fun bound -> pause < 2. *. bound) bounds with
    | Some i when pause >= bounds.(0) -> histogram.(i) <- histogram.(i) + 1
    | Some _ -> ()
    | None ->
        let last = Array.length bounds - 1 in
        histogram.(last) <- histogram.(last) + 1
  in
  Array.iter count pauses;
  histogram

type ring = { mutable depth : int; mutable since : int64 }

type recorder = {
  rings : (int, ring) Hashtbl.t;
  pauses : float Dynarray.t; (* seconds *)
  mutable lost : int;
}

let ring r id =
  match Hashtbl.find_opt r.rings id with
  | Some ring -> ring
  | None ->
      let ring = { depth = 0; since = 0L } in
      Hashtbl.add r.rings id ring;
      ring

(* A domain that is parked, or makes room for another one's heap, holds nobody up. *)
let is_pause (phase : Runtime_events.runtime_phase) =
  match phase with
  | EV_DOMAIN_CONDITION_WAIT | EV_DOMAIN_RESIZE_HEAP_RESERVATION -> false
  | _ -> true

let on_begin r id at phase =
  if is_pause phase then begin
    let ring = ring r id in
    if ring.depth = 0 then ring.since <- Runtime_events.Timestamp.to_int64 at;
    ring.depth <- ring.depth + 1
  end

let on_end r id at phase =
  let ring = ring r id in
  (* An end without a begin: the recording started in between, or events were lost. *)
  if is_pause phase && ring.depth > 0 then begin
    ring.depth <- ring.depth - 1;
    if ring.depth = 0 then
      let length = Int64.sub (Runtime_events.Timestamp.to_int64 at) ring.since in
      Dynarray.add_last r.pauses (Int64.to_float length *. 1e-9)
  end

let on_lost r id n =
  r.lost <- r.lost + n;
  (ring r id).depth <- 0

let recorder () = { rings = Hashtbl.create 8; pauses = Dynarray.create (); lost = 0 }

let poll cursor r =
  let callbacks =
    Runtime_events.Callbacks.create ~runtime_begin:(on_begin r) ~runtime_end:(on_end r)
      ~lost_events:(on_lost r) ()
  in
  ignore (Runtime_events.read_poll cursor callbacks None : int)

(* The runtime puts its file into the current directory. Once the cursor has mapped it the name is
   of no use, and would stay behind if the program were killed. *)
let cursor =
  lazy
    (let here = Sys.getcwd () in
     Sys.chdir (Filename.get_temp_dir_name ());
     Fun.protect
       ~finally:(fun () -> Sys.chdir here)
       (fun () ->
         Runtime_events.start ();
         let cursor = Runtime_events.create_cursor None in
         Option.iter Sys.remove (Runtime_events.path ());
         Runtime_events.pause ();
         cursor))

let figures r ~domains ~seconds =
  let pauses = Dynarray.to_array r.pauses in
  if Array.length pauses = 0 then { none with lost = r.lost }
  else
    {
      count = Array.length pauses;
      largest = Stats.quantile 1. pauses;
      p99 = Stats.quantile 0.99 pauses;
      share = Array.fold_left ( +. ) 0. pauses /. (seconds *. float domains);
      histogram = histogram_of pauses;
      lost = r.lost;
    }

let discard cursor = poll cursor (recorder ())

(* The rings are read after each run, so that they need not hold the events of all runs. *)
let observe ~domains runs f =
  let cursor = Lazy.force cursor in
  let r = recorder () in
  let spent = ref 0. in
  let run _ =
    discard cursor;
    let v, seconds = Clock.time f in
    poll cursor r;
    spent := !spent +. seconds;
    v
  in
  Runtime_events.resume ();
  let results = Fun.protect ~finally:Runtime_events.pause (fun () -> Array.init runs run) in
  (results, figures r ~domains ~seconds:!spent)
