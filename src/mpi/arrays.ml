(* Arrays: collectives on arrays of numbers, by those of MPI, or by those of values where there is
   none. Lengths are checked in one place for both. *)

open Numbers

let floats a = Floats a
let bigarray a = Big a
let here caller = Collectives.get ("Numbers." ^ caller)
let speaking caller = Collectives.speaking ("Numbers." ^ caller)

let here_at caller root =
  let here = here caller in
  Collectives.check_rank ("Numbers." ^ caller) here root;
  here

let expect ok = if not ok then differs ()

let send ?(tag = 0) dest t =
  let here = speaking "send" ~tag dest in
  let tag = Transport.numbers tag in
  match here.transport.numbers with
  | Some native when dest <> here.transport.rank -> native.send ~dest ~tag t
  | Some _ | None -> Drover.await (here.transport.send ~dest ~tag (Parcel.pack t))

(* All that came must fit, as with MPI. *)
let recv ?(tag = 0) source t =
  let here = speaking "recv" ~tag source in
  let tag = Transport.numbers tag in
  match here.transport.numbers with
  | Some native when source <> here.transport.rank -> native.receive ~source ~tag t
  | Some _ | None -> blit (Parcel.unpack (Collectives.receive here ~source ~tag)) t 0

let put_all parts into =
  let length = length into / Int.max 1 (Array.length parts) in
  Array.iteri (fun i part -> blit part into (i * length)) parts

let parts size t =
  let length = length t / size in
  Array.init size (fun i -> sub t (i * length) length)

let divides size t = length t mod size = 0

let broadcast ~root t =
  let here = here_at "broadcast" root in
  match here.transport.numbers with
  | Some native -> native.collective Broadcast ~root None (Some t)
  | None -> blit (Collectives.broadcast ~root (fun () -> t)) t 0

let scatter ~root from into =
  let here = here_at "scatter" root in
  let { Transport.rank; size; numbers; _ } = here.transport in
  if rank = root then expect (length from = size * length into);
  match numbers with
  | Some native -> native.collective Scatter ~root (Some from) (Some into)
  | None -> blit (Collectives.scatter ~root (fun () -> parts size from)) into 0

let gather ~root from into =
  let here = here_at "gather" root in
  let { Transport.rank; size; numbers; _ } = here.transport in
  if rank = root then expect (length into = size * length from);
  match numbers with
  | Some native -> native.collective Gather ~root (Some from) (Some into)
  | None ->
      if rank = root then put_all (Collectives.gather ~root from) into
      else ignore (Collectives.gather ~root from : t array)

let all_gather from into =
  let here = here "all_gather" in
  expect (length into = here.transport.size * length from);
  match here.transport.numbers with
  | Some native -> native.collective All_gather ~root:0 (Some from) (Some into)
  | None -> put_all (Collectives.all_gather from) into

let combined op a b =
  let a = copy a in
  combine op a b;
  a

let reduce ~root op from into =
  let here = here_at "reduce" root in
  check_reducible from;
  if here.transport.rank = root then expect (length from = length into);
  match here.transport.numbers with
  | Some native -> native.collective (Reduce op) ~root (Some from) (Some into)
  | None ->
      Option.iter
        (fun all -> blit all into 0)
        (Collectives.reduce ~root ~combine:(combined op) from)

let all_reduce op from into =
  let here = here "all_reduce" in
  check_reducible from;
  expect (length from = length into);
  match here.transport.numbers with
  | Some native -> native.collective (All_reduce op) ~root:0 (Some from) (Some into)
  | None -> blit (Collectives.all_reduce ~combine:(combined op) from) into 0

let all_to_all from into =
  let here = here "all_to_all" in
  let size = here.transport.size in
  expect (length from = length into && divides size from);
  match here.transport.numbers with
  | Some native -> native.collective All_to_all ~root:0 (Some from) (Some into)
  | None -> put_all (Collectives.all_to_all (parts size from)) into
