(* First.

   The caller begins from the left, as in [Spread]. An event is a result or an exception. Each
   block notes its event; [earliest] is the first block that has one so far, and those behind it
   need not be looked at. All that lies before the final value has been looked at, so the answer is
   that of a loop from the left. *)

let rec lower earliest i =
  let before = Atomic.get earliest in
  if i < before && not (Atomic.compare_and_set earliest before i) then lower earliest i

(* [earliest] is negative when something was found before. *)
let in_blocks look earliest from n =
  let b = Blocks.divide (n - from) in
  let events = Array.make b.count None in
  let body first last =
    for block = first to last do
      Scope.check ();
      if block < Atomic.get earliest then
        match
          Failure.catch (fun () -> look (from + Blocks.lo b block) (from + Blocks.hi b block))
        with
        | Ok None -> ()
        | event ->
            events.(block) <- Some event;
            lower earliest block
    done
  in
  Spread.rest body ~from:0 b.count;
  match Atomic.get earliest with
  | block when block >= 0 && block < b.count -> events.(block)
  | _ -> None

let found = function Some event -> Failure.get event | None -> None

let search n look =
  let n = Int.max 0 n and earliest = Atomic.make max_int in
  let rest from _ = if from >= n then None else in_blocks look earliest from n in
  let step before lo hi =
    if Option.is_some before then before
    else
      let event = look lo hi in
      if Option.is_some event then lower earliest (-1);
      event
  in
  match Spread.split n None step rest with
  | (Some _ as before), _ -> before
  | None, behind -> found behind
