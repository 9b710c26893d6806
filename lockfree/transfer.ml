type 'r sent = Stored | For of 'r Line.place | Full | Refused
type 's lack = From of 's Line.place | Draw | Empty | Over
type 'a message = { mutable message : 'a option }
type slot = { mutable is_held : bool }

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
