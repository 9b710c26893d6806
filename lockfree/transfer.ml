type 'r sent = Stored | For of 'r Line.place | Full | Refused
type 's lack = From of 's Line.place | Early of 's Line.place | Draw | Empty | Over
type 'a message = { mutable message : 'a option }
type slot = { mutable is_held : bool }
type right = bool Atomic.t (* whether it is used *)

let[@poll error] step_with_message place before after hand message =
  Atomic.compare_and_set place before after
  && begin
    hand.message <- message;
    true
  end

let[@poll error] step_with_slot place before after slot =
  Atomic.compare_and_set place before after
  && begin
    slot.is_held <- false;
    true
  end

let right () = Atomic.make false

let[@poll error] claim_slot right slot =
  if Atomic.compare_and_set right false true then slot.is_held <- true

let[@poll error] claim_message right slot hand message =
  if Atomic.compare_and_set right false true then begin
    slot.is_held <- true;
    hand.message <- message
  end
