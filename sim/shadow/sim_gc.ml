(* The collector *)

open Drover_machine
open World
include Stdlib.Gc

let minor = Collector.collect

let full_major () =
  Collector.collect ();
  Threads.poll ()

let major = full_major
let compact = full_major
let major_slice (_ : int) = 0
let finalise (_ : 'a -> unit) (_ : 'a) = ()

let finalise_last call (_ : 'a) =
  let d = (me ()).domain in
  d.finalisers <- call :: d.finalisers

let nothing = Stdlib.Gc.quick_stat ()

(* Of the other domains, as of the latest collection. *)
let quick_stat () =
  let own = (me ()).domain in
  let add sum d = sum +. if d == own then d.allocated else d.told in
  {
    nothing with
    minor_collections = !w.collections;
    minor_words = List.fold_left add !w.words_before !w.domains;
  }

let counters () =
  let d = (me ()).domain in
  (d.allocated, d.promoted, 0.)

let minor_words () = (me ()).domain.allocated
let control = Stdlib.Gc.get ()
let get () = { control with minor_heap_size = (me ()).domain.minor_heap }

let set (c : control) =
  let d = (me ()).domain in
  d.minor_heap <- c.minor_heap_size
