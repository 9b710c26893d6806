(* Collectives on values. Each has a tag of its own, which is the next at all ranks, because they call
   the same collectives in the same order.

   Trees are binomial: in round k a rank speaks with the one at distance 2^k; so p ranks take log p
   rounds. Reductions combine neighbours only, and so keep the order of ranks. *)

type t = { here : Here.t; rank : int; size : int; tag : int }

let get caller =
  let here = Here.get caller in
  if Drover.Local.get Here.part <> Everywhere then
    invalid_arg ("Drover_mpi." ^ caller ^ ": outside of Drover_mpi.everywhere");
  here

let check_rank caller (here : Here.t) rank =
  if rank < 0 || rank >= here.transport.size then
    invalid_arg (Printf.sprintf "Drover_mpi.%s: there is no rank %d" caller rank)

let next caller =
  let here = get caller in
  let number = Atomic.fetch_and_add here.next_collective 1 in
  let tag = Transport.(first_collective + (number mod collectives)) in
  { here; rank = here.transport.rank; size = here.transport.size; tag }

let next_at caller root =
  let t = next caller in
  check_rank caller t.here root;
  t

let put_bytes t dest bytes = Drover.await (t.here.transport.send ~dest ~tag:t.tag bytes)
let put t dest v = put_bytes t dest (Parcel.pack v)

let receive (here : Here.t) ~source ~tag =
  let { Transport.poll; spin; _ } = here.transport in
  Mailboxes.receive here.mailboxes ~source ~tag ~poll ~spin

let get_bytes t source = receive t.here ~source ~tag:t.tag
let get_value t source = Parcel.unpack (get_bytes t source)

(* From rank to rank *)

let check_tag caller tag =
  if tag < 0 || tag >= Transport.user_tags then
    invalid_arg
      (Printf.sprintf "Drover_mpi.%s: a tag is from 0 to %d" caller (Transport.user_tags - 1))

(* The caller's rank, which will speak with [other]. *)
let speaking caller ~tag other =
  let here = get caller in
  check_rank caller here other;
  check_tag caller tag;
  here

let send ?(tag = 0) dest v =
  let here = speaking "send" ~tag dest in
  Drover.await (here.transport.send ~dest ~tag:(Transport.value tag) (Parcel.pack v))

let recv ?(tag = 0) source =
  let here = speaking "recv" ~tag source in
  Parcel.unpack (receive here ~source ~tag:(Transport.value tag))

(* All *)

let barrier () =
  let t = next "barrier" in
  match t.here.transport.numbers with
  | Some native -> native.barrier ()
  | None ->
      let rec round distance =
        if distance < t.size then begin
          put_bytes t ((t.rank + distance) mod t.size) Bytes.empty;
          ignore (get_bytes t ((t.rank - distance + t.size) mod t.size) : Bytes.t);
          round (2 * distance)
        end
      in
      round 1

(* Down a tree at [root]: from the rank without one's lowest bit, to those with one bit less. *)
let spread t ~root bytes =
  let place = (t.rank - root + t.size) mod t.size in
  let of_place place = (place + root) mod t.size in
  let rec above bit = if bit < t.size && place land bit = 0 then above (2 * bit) else bit in
  let lowest = above 1 in
  let bytes =
    match bytes with Some bytes -> bytes | None -> get_bytes t (of_place (place - lowest))
  in
  let rec below bit =
    if bit > 0 then begin
      if place + bit < t.size then put_bytes t (of_place (place + bit)) bytes;
      below (bit / 2)
    end
  in
  below (lowest / 2);
  bytes

let broadcast_from t ~root f =
  if t.rank = root then begin
    let v = f () in
    ignore (spread t ~root (Some (Parcel.pack v)) : Bytes.t);
    v
  end
  else Parcel.unpack (spread t ~root None)

let broadcast ~root f =
  let t = next_at "broadcast" root in
  broadcast_from t ~root f

let scatter ~root f =
  let t = next_at "scatter" root in
  if t.rank = root then begin
    let all = f () in
    if Array.length all <> t.size then invalid_arg "Drover_mpi.scatter: not one value for each rank";
    Array.iteri (fun rank v -> if rank <> root then put t rank v) all;
    all.(root)
  end
  else get_value t root

let gather_at t ~root v =
  if t.rank = root then Array.init t.size (fun rank -> if rank = root then v else get_value t rank)
  else begin
    put t root v;
    [||]
  end

let gather ~root v =
  let t = next_at "gather" root in
  gather_at t ~root v

let all_gather v =
  let t = next "all_gather" in
  let all = gather_at t ~root:0 v in
  broadcast_from t ~root:0 (fun () -> all)

(* Up a tree at 0: each combines its own ranks, up to the one before its neighbour's. *)
let reduce_at_0 t ~combine v =
  let rec round v distance =
    if distance >= t.size then Some v
    else if t.rank land distance <> 0 then begin
      put t (t.rank - distance) v;
      None
    end
    else if t.rank + distance < t.size then
      round (combine v (get_value t (t.rank + distance))) (2 * distance)
    else round v (2 * distance)
  in
  round v 1

let reduce ~root ~combine v =
  let t = next_at "reduce" root in
  match reduce_at_0 t ~combine v with
  | Some v when root = 0 -> Some v
  | Some v ->
      put t root v;
      None
  | None -> if t.rank = root then Some (get_value t 0) else None

let all_reduce ~combine v =
  let t = next "all_reduce" in
  let all = reduce_at_0 t ~combine v in
  broadcast_from t ~root:0 (fun () -> Option.get all)

let all_to_all all =
  let t = next "all_to_all" in
  if Array.length all <> t.size then
    invalid_arg "Drover_mpi.all_to_all: not one value for each rank";
  Array.iteri (fun rank v -> if rank <> t.rank then put t rank v) all;
  Array.init t.size (fun rank -> if rank = t.rank then all.(rank) else get_value t rank)
