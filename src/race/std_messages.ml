(* What the functions of channels tell, of Drover and of Domainslib's interface. *)

let block = Address.block

let sending send c v =
  Sync.send (block c);
  send c v

(* Only what was sent is a message; nothing runs between the two. *)
let trying_to_send try_send c v =
  let is_sent = try_send c v in
  if is_sent then Sync.send (block c);
  is_sent

let receiving recv c =
  let v = recv c in
  Sync.receive (block c);
  v

let trying_to_receive try_recv c =
  let v = try_recv c in
  if Option.is_some v then Sync.receive (block c);
  v
