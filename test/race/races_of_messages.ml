(* What goes through Drover.Seq, and by select: with a race, and a twin. *)

let n = 100
let ints n = Seq.init n Fun.id

let buffer i =
  let b = Buffer.create 8 in
  Buffer.add_string b (string_of_int i);
  b

let consume s = Seq.iter (fun b -> ignore (Buffer.contents b : string)) s

(* What an element has made is known to who has its result; what it keeps is not. *)
let mapped is_racy =
  let last = ref (buffer 0) in
  let make i =
    let b = buffer i in
    if is_racy then last := b;
    b
  in
  Drover.run (fun () -> consume (Drover.Seq.map make (ints n)))

(* The consumer of a result has not waited for those behind it. *)
let map_behind is_racy =
  let a = Array.make n 0 in
  let set i =
    a.(i) <- i;
    i
  in
  let look i = ignore (a.(if is_racy then Int.min (n - 1) (i + 1) else i) : int) in
  Drover.run (fun () -> Seq.iter look (Drover.Seq.map set (ints n)))

let unordered is_racy =
  let shared = buffer 0 in
  let make i =
    if is_racy then Buffer.add_char shared 'x';
    buffer i
  in
  Drover.run (fun () -> consume (Drover.Seq.map_unordered make (ints n)))

(* Who has called it knows what all did. *)
let iter is_racy =
  let a = Array.make (n + 1) 0 in
  Drover.run (fun () ->
      Drover.Seq.iter (fun i -> a.(i) <- a.(if is_racy then i + 1 else i)) (ints n);
      ignore (Array.fold_left ( + ) 0 a : int))

(* The source is forced by the consumer, ahead of what the elements do. *)
let source is_racy =
  let at = ref 0 in
  let next () =
    at := !at + 1;
    if !at < n then Some (!at, ()) else None
  in
  let s = Seq.unfold next () in
  let read i = if is_racy then !at else i in
  Drover.run (fun () -> Drover.Seq.iter (fun i -> ignore (read i : int)) s)

(* What a select sends is known to a plain receiver, and the other way round. *)
let select is_racy =
  let c = Drover.Chan.bounded 4 and never = Drover.Chan.bounded 1 in
  Drover.run (fun () ->
      let sender =
        Drover.async (fun () ->
            for i = 1 to n do
              let b = buffer i in
              (if i land 1 = 0 then Drover.Chan.send c b
               else
                 let sent = Drover.Chan.sending c b ignore in
                 Drover.Chan.select [ Drover.Chan.receiving never ignore; sent ]);
              if is_racy then Buffer.add_char b 'x'
            done)
      in
      for i = 1 to n do
        let b =
          if i mod 3 = 0 then Drover.Chan.recv c
          else Drover.Chan.(select [ receiving never Fun.id; receiving c Fun.id ])
        in
        ignore (Buffer.contents b : string)
      done;
      Drover.await sender)

(* Several send, as a select and plainly: who receives a message may have got the mark of another. *)
let select_of_several is_racy =
  let c = Drover.Chan.unbounded () in
  let send i =
    let b = buffer i in
    if i land 1 = 0 then Drover.Chan.send c b
    else Drover.Chan.select [ Drover.Chan.sending c b ignore ];
    if is_racy then Buffer.add_char b 'x'
  in
  Drover.run (fun () ->
      let senders = List.init n (fun i -> Drover.async (fun () -> send i)) in
      for _ = 1 to n do
        ignore (Buffer.contents (Drover.Chan.recv c) : string)
      done;
      List.iter Drover.await senders)

let all =
  [
    ("Seq.map", mapped, "last := ..");
    ("Seq.map, those behind", map_behind, "a.(i) <- ..");
    ("Seq.map_unordered", unordered, "Buffer.add_char");
    ("Seq.iter", iter, "a.(i) <- ..");
    ("Seq.iter, its source", source, "!at");
    ("Chan.select", select, "Buffer.contents");
    ("Chan.select, of several senders", select_of_several, "Buffer.contents");
  ]
