(* Account.

   What its tasks allocate is added up by the stretches in which a worker runs them (see
   [Worker]), when such a stretch ends and at each collection. The heap is the whole program's; a
   scope whose tasks have allocated less than it has grown is not to blame. Where the heap is too
   large, all garbage is collected first; what is left then is in use. *)

type limit = Heap of int | Allocated of int

exception Exceeded of { limit : limit; used : int }

type t = {
  outer : t; (* or [none] *)
  most_allocated : int; (* words; [max_int] where there is no limit *)
  most_heap : int;
  heap_before : int;
  allocated : int Atomic.t;
  cancel : exn -> unit;
}

let heap_words () = (Gc.quick_stat ()).heap_words

let rec none =
  {
    outer = none;
    most_allocated = max_int;
    most_heap = max_int;
    heap_before = 0;
    allocated = Atomic.make 0;
    cancel = ignore;
  }

let create ~outer ?(heap = max_int) ?(allocated = max_int) cancel =
  {
    outer;
    most_allocated = allocated;
    most_heap = heap;
    heap_before = heap_words ();
    allocated = Atomic.make 0;
    cancel;
  }

let words () =
  let minor, promoted, major = Gc.counters () in
  int_of_float (minor +. major -. promoted)

let rec add t words =
  if t != none then begin
    ignore (Atomic.fetch_and_add t.allocated words : int);
    add t.outer words
  end

(* Whether the heap has grown by more, and its tasks have allocated enough to have made it. *)
let has_grown_by t words = Atomic.get t.allocated > words && heap_words () - t.heap_before > words

let rec check t =
  let used = Atomic.get t.allocated in
  if used > t.most_allocated then t.cancel (Exceeded { limit = Allocated t.most_allocated; used });
  if has_grown_by t t.most_heap then begin
    Gc.full_major ();
    let used = heap_words () - t.heap_before in
    if used > t.most_heap then t.cancel (Exceeded { limit = Heap t.most_heap; used })
  end;
  if t.outer != none then check t.outer

(* Where blocks are large, collections that happen by themselves come when the heap has grown by a half
   or more. *)
let rec is_near t = t != none && (has_grown_by t (t.most_heap / 4) || is_near t.outer)
