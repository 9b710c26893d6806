(* Streams: a map whose elements are computed by tasks, a bounded number of them ahead of who reads.

   A reader of the source goes on as long as there is room for another element, and stops until the
   next element is taken from the front. All on the loop's thread. *)

open Lwt.Syntax

type 'b t = {
  look_ahead : int;
  results : 'b Lwt.t Queue.t; (* to be taken, in order *)
  mutable pending : int; (* elements that have no place in [results] yet *)
  mutable reads : bool;
  mutable ended : unit Lwt.t option; (* how the source ended *)
  changed : unit Lwt_condition.t;
}

let room t = Queue.length t.results + t.pending < t.look_ahead
let change t = Lwt_condition.broadcast t.changed ()

(* Reads the source while there is room; [add] sees to it that a result gets into [results]. *)
let rec read t source add =
  if not (room t) then begin
    t.reads <- false;
    Lwt.return_unit
  end
  else
    let* element = Lwt_stream.get source in
    match element with
    | Some x ->
        add x;
        read t source add
    | None ->
        t.ended <- Some Lwt.return_unit;
        change t;
        Lwt.return_unit

let see_to_read t source add =
  if (not t.reads) && Option.is_none t.ended && room t then begin
    t.reads <- true;
    Lwt.async (fun () ->
        Lwt.catch
          (fun () -> read t source add)
          (fun exn ->
            t.ended <- Some (Lwt.fail exn);
            change t;
            Lwt.return_unit))
  end

(* The element at the front keeps its place until it is there. *)
let take t result =
  Lwt.finalize
    (fun () -> Lwt.map Option.some result)
    (fun () ->
      ignore (Queue.take t.results : _ Lwt.t);
      Lwt.return_unit)

let rec next t source add () =
  see_to_read t source add;
  match (Queue.peek_opt t.results, t.ended) with
  | Some result, _ -> take t result
  | None, Some ended when t.pending = 0 -> Lwt.map (fun () -> None) ended
  | None, _ ->
      let* () = Lwt_condition.wait t.changed in
      next t source add ()

let create name look_ahead =
  if look_ahead < 1 then invalid_arg (Printf.sprintf "Drover_lwt.Stream.%s: look_ahead < 1" name);
  {
    look_ahead;
    results = Queue.create ();
    pending = 0;
    reads = false;
    ended = None;
    changed = Lwt_condition.create ();
  }

let put t result =
  Queue.add result t.results;
  change t

let map ?pool ~look_ahead f source =
  let t = create "map" look_ahead in
  let add x = put t (Detached.detach_for "Drover_lwt.Stream.map" ?pool (fun () -> f x)) in
  Lwt_stream.from (next t source add)

let map_unordered ?pool ~look_ahead f source =
  let t = create "map_unordered" look_ahead in
  let add x =
    t.pending <- t.pending + 1;
    let result = Detached.detach_for "Drover_lwt.Stream.map_unordered" ?pool (fun () -> f x) in
    let arrive _ =
      t.pending <- t.pending - 1;
      put t result
    in
    Lwt.on_any result arrive arrive
  in
  Lwt_stream.from (next t source add)
