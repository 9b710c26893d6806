(* Fifo: the oldest items in order, then chunks of items in order, then the newest in reverse.

   Its users keep it behind an atomic, so a step must be short, or it would be overtaken again and
   again (see [Line]): no more than a chunk is reversed at a time. *)

type 'a t = {
  front : 'a list; (* empty only if there are no chunks *)
  chunks : 'a list Line.t;
  back : 'a list; (* the newest first *)
  back_length : int;
}

let chunk = 32
let empty = { front = []; chunks = Line.empty; back = []; back_length = 0 }
let is_empty q = List.is_empty q.front && List.is_empty q.back

let push q x =
  if q.back_length < chunk then { q with back = x :: q.back; back_length = q.back_length + 1 }
  else
    let items = List.rev q.back in
    let q = { q with back = [ x ]; back_length = 1 } in
    if List.is_empty q.front then { q with front = items }
    else { q with chunks = Line.join q.chunks (Line.place items) }

(* What is left when the front is used up. *)
let next_front q =
  match Line.next q.chunks with
  | Some (front, chunks) -> { q with front = front.who; chunks }
  | None -> { empty with front = List.rev q.back }

let pop q =
  match q.front with
  | x :: (_ :: _ as front) -> Some (x, { q with front })
  | [ x ] -> Some (x, next_front q)
  | [] -> ( match List.rev q.back with [] -> None | x :: front -> Some (x, { empty with front }))
