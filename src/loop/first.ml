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

let rec lead f ~since ~from ~step n =
  let upto = Int.min n (from + step) in
  match serially f from upto with
  | Some _ as result -> result
  | None when upto >= n -> None
  | None when Unix.gettimeofday () -. since > Spread.patience -> in_blocks f upto n
  | None -> lead f ~since ~from:upto ~step:(step * 16) n

let map f n =
  if n >= Spread.many then in_blocks f 0 n
  else
    let since = Unix.gettimeofday () in
    if n > 1 && (not (Spread.in_task ())) && Spread.is_due since then in_blocks f 0 n
    else lead f ~since ~from:0 ~step:1 n
