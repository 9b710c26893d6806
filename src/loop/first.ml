(* First.

   The caller begins from the left, as in [Spread]. An event is a result or an exception. Each
   block notes its first event; [earliest] is the smallest index of one so far, and what lies
   behind it need not be looked at. All that lies before the final value has been looked at, so
   the answer is that of a loop from the left. *)

let rec lower earliest i =
  let before = Atomic.get earliest in
  if i < before && not (Atomic.compare_and_set earliest before i) then lower earliest i

let in_blocks f from n =
  let b = Blocks.divide (n - from) in
  let events = Array.make b.count None and earliest = Atomic.make max_int in
  let rec look block i hi =
    if i <= hi && i < Atomic.get earliest then
      match f (from + i) with
      | None -> look block (i + 1) hi
      | Some v -> note block i (Ok v)
      | exception exn -> note block i (Error (exn, Printexc.get_raw_backtrace ()))
  and note block i event =
    events.(block) <- Some event;
    lower earliest i
  in
  let body first last =
    for block = first to last do
      Scope.check ();
      look block (Blocks.lo b block) (Blocks.hi b block)
    done
  in
  Spread.rest body ~from:0 b.count;
  match Atomic.get earliest with
  | i when i = max_int -> None
  | i -> (
      match Option.get events.(i / b.size) with
      | Ok v -> Some v
      | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace)

let rec serially f i n =
  if i >= n then None
  else match f i with None -> serially f (i + 1) n | Some _ as result -> result

let map f n =
  let step found lo hi = if Option.is_some found then found else serially f lo (hi + 1) in
  let found, from = Spread.lead None ~at_once:(n >= Spread.many) n step in
  if Option.is_some found || from >= n then found else in_blocks f from n
