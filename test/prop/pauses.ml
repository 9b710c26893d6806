(* Loops of every length, in which iterations spin, wait, or leave their processor, so that others
   steal. *)

(* What an iteration does besides, so that others steal. *)
type pause = Nothing | Spin of int | Wait | Give_way

let pause = function
  | Nothing -> ()
  | Spin n ->
      for _ = 1 to n do
        Domain.cpu_relax ()
      done
  | Wait -> Drover.await (Drover.async ignore)
  | Give_way -> Unix.sleepf 20e-6

let pauses =
  QCheck2.Gen.(
    array_size (return 64)
      (oneof_weighted
         [
           (20, return Nothing);
           (4, map (fun n -> Spin n) (0 -- 2000));
           (2, return Wait);
           (1, return Give_way);
         ]))

type case = { start : int; n : int; grain : int; pauses : pause array }

let print { start; n; grain; _ } = Printf.sprintf "start %d, n = %d, grain %d" start n grain

let case =
  QCheck2.Gen.(
    let* n = oneof [ 0 -- 20; 0 -- 200; 0 -- 3000 ] in
    let* start = oneof [ return 0; -50 -- 50; return min_int; return (max_int - n + 1) ] in
    let* grain = oneof [ return 1; 1 -- 10; 1 -- 2000 ] in
    let+ pauses = pauses in
    { start; n; grain; pauses })

let pause_at c i = pause c.pauses.((i - c.start) land 63)
let finish c = c.start + c.n - 1

(* An empty interval at the end of the integers would not be one. *)
let is_fine c = c.n > 0 || c.start > min_int
