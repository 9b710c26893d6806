open Drover_harness

let window = 1_000_000_000 (* ns *)

(* How far each job had come at a time. *)
type look = { time : int; done_ : int array }
type t = { total : int; counts : int Atomic.t array; looks : look Dynarray.t }

let create ~jobs ~total =
  { total; counts = Array.init jobs (fun _ -> Atomic.make 0); looks = Dynarray.create () }

let count t job = Atomic.incr t.counts.(job)

let look t =
  Dynarray.add_last t.looks { time = Clock.now_ns (); done_ = Array.map Atomic.get t.counts }

(* The least share of those that both looks find unfinished, of what a job gets if all get the same. *)
let least_between t a b =
  let got = Array.map2 ( - ) b.done_ a.done_ in
  let unfinished = Array.fold_left (fun n d -> if d < t.total then n + 1 else n) 0 a.done_ in
  let fair = float (Array.fold_left ( + ) 0 got) /. float unfinished in
  let share job = if b.done_.(job) < t.total then float got.(job) /. fair else infinity in
  Seq.fold_left
    (fun least job -> Float.min least (share job))
    infinity
    (Seq.init (Array.length got) Fun.id)

let least t =
  let looks = Dynarray.to_array t.looks in
  let a_window_later a = Array.find_opt (fun b -> b.time - a.time >= window) looks in
  let from a = Option.map (least_between t a) (a_window_later a) in
  match List.filter_map from (Array.to_list looks) with
  | [] -> None
  | first :: others -> Some (List.fold_left Float.min first others)
