(* Chan: Domainslib's channels, on Drover's. They are never closed. *)

module Chan = Drover.Chan

type !'a t = 'a Chan.t

let make_bounded n =
  if n < 0 then invalid_arg "Chan.make_bounded"
  else if n = 0 then Chan.rendezvous ()
  else Chan.bounded n

let make_unbounded = Chan.unbounded
let send = Chan.send
let send_poll = Chan.try_send
let recv = Chan.recv
let recv_poll = Chan.try_recv
