(* The standard library's structures: a shared one, and a twin with one for each. *)

let pair f g = ignore (Drover.both f g : unit * unit)

(* [make ()] is for both sides, or there is one for each. *)
let shared make change is_racy =
  let a = make () in
  let b = if is_racy then a else make () in
  pair (fun () -> change a) (fun () -> change b)

let table = shared (fun () -> Hashtbl.create 8) (fun h -> Hashtbl.replace h 1 2)

module Table = Hashtbl.Make (Int)

let functor_ = shared (fun () -> Table.create 8) (fun h -> Table.add h 1 2)

module Of (Key : Hashtbl.HashedType with type t = int) = struct
  module T = Hashtbl.Make (Key)

  let create () = T.create 8
  let change t = T.replace t 1 2
end

module Of_int = Of (Int)

let functor_in_functor = shared Of_int.create Of_int.change

let opened =
  shared
    (fun () -> Hashtbl.create 8)
    (fun h ->
      let open Hashtbl in
      add h 1 2)

let by_stdlib = shared (fun () -> Stdlib.Hashtbl.create 8) (fun h -> Stdlib.Hashtbl.add h 1 2)

let local_module =
  shared
    (fun () -> Hashtbl.create 8)
    (fun h ->
      let module H = Hashtbl in
      H.add h 1 2)

let partial = shared (fun () -> Hashtbl.create 8) (fun h -> List.iter (Hashtbl.add h 1) [ 1; 2 ])
let buffer = shared (fun () -> Buffer.create 8) (fun b -> Buffer.add_char b 'x')
let queue = shared Queue.create (fun q -> Queue.add 1 q)
let stack = shared Stack.create (fun s -> Stack.push 1 s)
let dynarray = shared Dynarray.create (fun d -> Dynarray.add_last d 1)
let filled = shared (fun () -> Array.make 20 0) (fun a -> Array.fill a 5 10 1)
let sorted = shared (fun () -> Array.init 20 (fun i -> -i)) (fun a -> Array.sort Int.compare a)

let blit is_racy =
  let a = Array.make 20 0 in
  pair (fun () -> Array.blit a 0 a 5 5) (fun () -> Array.fill a (if is_racy then 9 else 10) 5 1)

let read_and_written is_racy =
  let h = Hashtbl.create 8 in
  Hashtbl.add h 1 1;
  pair
    (fun () -> ignore (Hashtbl.find_opt h 1 : int option))
    (fun () -> if is_racy then Hashtbl.add h 2 2 else ignore (Hashtbl.mem h 1 : bool))

let random = shared (fun () -> Random.State.make [| 1 |]) (fun s -> ignore (Random.State.bool s))

let formatter =
  shared (fun () -> Format.formatter_of_buffer (Buffer.create 8)) (fun f -> Format.fprintf f "%d" 1)

let forced = shared (fun () -> lazy (Sys.opaque_identity 1)) (fun l -> ignore (Lazy.force l : int))
let labels = shared (fun () -> Array.make 20 0) (fun a -> StdLabels.Array.fill a ~pos:0 ~len:9 1)
let floats = shared (fun () -> Float.Array.make 20 0.) (fun a -> Float.Array.fill a 0 9 1.)

let floats_in_parallel =
  shared (fun () -> Float.Array.make 20 0.) (fun a -> Drover.Float_array.map_inplace Float.succ a)

let bigarray_in_parallel =
  shared
    (fun () -> Bigarray.Array1.init Float64 C_layout 20 float)
    (fun a -> Drover.Bigarray1.fill a 1.)

let sums is_racy =
  let a = Array.make 20 0 and b = Array.make 20 0 in
  pair
    (fun () -> Drover.Array.scan_inplace ~init:0 ~combine:( + ) a)
    (fun () -> (if is_racy then a else b).(10) <- 1)

let counted is_racy =
  let a = Array.make 20 0 and b = Array.make 20 0 in
  pair
    (fun () -> ignore (Drover.Array.count_by Fun.id a : (int * int) array))
    (fun () -> (if is_racy then a else b).(10) <- 1)

(* Forced before, it is read only. *)
let forced_before is_racy =
  let l = lazy (Sys.opaque_identity (ref 1)) in
  if not is_racy then ignore (Lazy.force l : int ref);
  pair (fun () -> ignore (Lazy.force l : int ref)) (fun () -> ignore (Lazy.force l : int ref))

let all =
  [
    ("Hashtbl", table, "Hashtbl.replace");
    ("Hashtbl.Make", functor_, "Table.add");
    ("Hashtbl.Make in a functor", functor_in_functor, "T.replace");
    ("Hashtbl, opened", opened, "");
    ("Stdlib.Hashtbl", by_stdlib, "Stdlib.Hashtbl.add");
    ("a local module", local_module, "H.add");
    ("a partial application", partial, "Hashtbl.add");
    ("Buffer", buffer, "Buffer.add_char");
    ("Queue", queue, "Queue.add");
    ("Stack", stack, "Stack.push");
    ("Dynarray", dynarray, "Dynarray.add_last");
    ("Array.fill", filled, "Array.fill");
    ("Array.sort", sorted, "Array.sort");
    ("Array.blit", blit, "Array.blit");
    ("Random.State", random, "Random.State.bool");
    ("Format", formatter, "Format.fprintf");
    ("Lazy", forced, "Lazy.force");
    ("Lazy, forced before", forced_before, "Lazy.force");
    ("labels", labels, "StdLabels.Array.fill");
    ("Float.Array.fill", floats, "Float.Array.fill");
    ("Float_array", floats_in_parallel, "Drover.Float_array.map_inplace");
    ("Bigarray1", bigarray_in_parallel, "Drover.Bigarray1.fill");
    ("Array.scan_inplace", sums, "Drover.Array.scan_inplace");
    ("Array.count_by", counted, "Drover.Array.count_by");
    ("a read and a write", read_and_written, "Hashtbl.find_opt");
  ]
