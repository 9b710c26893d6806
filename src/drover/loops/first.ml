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

let rec look f lo hi = match f lo with None when lo < hi -> look f (lo + 1) hi | found -> found

(* Rounds that grow keep workers near the beginning, where the answer may be. *)
let rec find_in_rounds round ~start ~finish f =
  if finish < start then None
  else
    (* [finish - start] is negative if it is beyond all integers. *)
    let behind = finish - start in
    let last = if behind >= 0 && behind < round then finish else start + round - 1 in
    match search (last - start + 1) (fun lo hi -> look f (start + lo) (start + hi)) with
    | None when last < finish -> find_in_rounds (2 * round) ~start:(last + 1) ~finish f
    | found -> found

let find ~start ~finish f = find_in_rounds 32 ~start ~finish f
