(* A body waits at a pipe that has nothing to read, and ends when the last that begins closes its other
   side. A worker that waits so has no safepoint, but does not keep others from collecting. *)

type t = {
  count : int;
  since : float;
  begun : float list Atomic.t; (* newest first *)
  begun_at_first_end : float list Atomic.t;
  silent : Unix.file_descr;
  other_side : Unix.file_descr;
}

let patience = 30. (* seconds *)

let rec note t =
  let before = Atomic.get t.begun in
  let now = Unix.gettimeofday () -. t.since in
  if Atomic.compare_and_set t.begun before (now :: before) then 1 + List.length before else note t

let body t () =
  let is_late = Atomic.get t.begun_at_first_end <> [] in
  if note t = t.count then Unix.close t.other_side
  else if not is_late then ignore (Unix.select [ t.silent ] [] [] patience);
  ignore (Atomic.compare_and_set t.begun_at_first_end [] (Atomic.get t.begun) : bool)

let begun count f =
  let silent, other_side = Unix.pipe ~cloexec:true () in
  let since = Unix.gettimeofday () in
  let t =
    {
      count;
      since;
      begun = Atomic.make [];
      begun_at_first_end = Atomic.make [];
      silent;
      other_side;
    }
  in
  f (body t);
  Unix.close silent;
  if List.length (Atomic.get t.begun) < count then Unix.close other_side;
  List.rev (Atomic.get t.begun_at_first_end)
