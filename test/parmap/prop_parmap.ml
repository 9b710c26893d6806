(* Parmap's interface on Drover, against the functions of lists and arrays, on random inputs. *)

open Test_support
open Parmap
module Gen = QCheck2.Gen

type input = { elements : int list; ncores : int; chunksize : int option; of_array : bool }

let input =
  let open Gen in
  let+ elements = list_size (oneof [ int_bound 5; int_bound 300 ]) (int_range (-100) 100)
  and+ ncores = oneof [ int_range (-1) 9; int_bound 400 ]
  and+ chunksize = option (oneof [ int_range (-1) 5; int_bound 400 ])
  and+ of_array = bool in
  { elements; ncores; chunksize; of_array }

let show_ints l = "[" ^ String.concat "; " (List.map string_of_int l) ^ "]"

let print { elements; ncores; chunksize; of_array } =
  Printf.sprintf "%d ranks, chunk size %s, %s %s" ncores
    (Option.fold ~none:"default" ~some:string_of_int chunksize)
    (if of_array then "array" else "list")
    (show_ints elements)

let sequence i = if i.of_array then A (Array.of_list i.elements) else L i.elements
let law name holds = Watchdog.property ~name ~print input holds
let ints = Properties.agree show_ints
let text = Properties.agree Fun.id
let add i x = i + (2 * x)

let map { ncores; chunksize; elements; _ } s =
  ints ~expected:(List.map succ elements) ~found:(parmap ~ncores ?chunksize succ s)

let mapi { ncores; chunksize; elements; _ } s =
  ints ~expected:(List.mapi add elements) ~found:(parmapi ~ncores ?chunksize add s)

let array_mapi { ncores; chunksize; elements; _ } _ =
  let found = array_parmapi ~ncores ?chunksize add (Array.of_list elements) in
  ints ~expected:(List.mapi add elements) ~found:(Array.to_list found)

let float_mapi { ncores; chunksize; elements; _ } _ =
  let f i x = float (add i x) in
  let found = array_float_parmapi ~ncores ?chunksize f (Array.of_list elements) in
  let texts = List.map string_of_float in
  Properties.agree (String.concat "; ")
    ~expected:(texts (List.mapi f elements))
    ~found:(texts (Array.to_list found))

let iteri { ncores; chunksize; elements; _ } s =
  let found = Array.make (List.length elements) 0 in
  pariteri ~ncores ?chunksize (fun i x -> found.(i) <- found.(i) + add i x) s;
  ints ~expected:(List.mapi add elements) ~found:(Array.to_list found)

(* Without chunks the order is kept. Strings do not commute. *)
let fold { ncores; elements; _ } s =
  let expected = List.fold_right ( ^ ) (List.map string_of_int elements) "" in
  text ~expected ~found:(parmapfold ~ncores string_of_int s ( ^ ) "" ( ^ ))

let fold_chunks { ncores; chunksize; elements; _ } s =
  let sorted = List.sort Int.compare in
  let found = parmapifold ~ncores ?chunksize add s List.cons [] ( @ ) in
  ints ~expected:(sorted (List.mapi add elements)) ~found:(sorted found)

(* A table for each rank. *)
let mutable_fold { ncores; chunksize; elements; _ } s =
  let count table x = table.(x + 100) <- table.(x + 100) + 1 in
  let op x table =
    count table x;
    table
  in
  let expected = Array.make 201 0 in
  List.iter (count expected) elements;
  let found = parfold ~ncores ?chunksize op s (Array.make 201 0) (Array.map2 ( + )) in
  ints ~expected:(Array.to_list expected) ~found:(Array.to_list found)

(* The failure is that of some element that fails; and what has begun ends. *)
let failure { ncores; chunksize; elements; _ } s =
  let open_ = Atomic.make 0 in
  let init _ = Atomic.incr open_ and finalize () = Atomic.decr open_ in
  let f x = if x > 50 then raise (Failing.Failed x) else x in
  let outcome =
    match parmap ~init ~finalize ~ncores ?chunksize f s with
    | found -> ints ~expected:elements ~found
    | exception Failing.Failed x -> x > 50 && List.mem x elements
  in
  outcome && ints ~expected:[ 0 ] ~found:[ Atomic.get open_ ]

let () =
  Properties.run
    (List.map
       (fun (name, holds) -> law name (fun i -> holds i (sequence i)))
       [
         ("parmap is map", map);
         ("parmapi is mapi", mapi);
         ("array_parmapi is mapi", array_mapi);
         ("array_float_parmapi is mapi", float_mapi);
         ("pariteri is iteri", iteri);
         ("parmapfold is fold_right of map", fold);
         ("parmapifold in chunks has each element once", fold_chunks);
         ("an accumulator that is modified is the rank's own", mutable_fold);
         ("a failure is an element's, and all ranks are finalized", failure);
       ])
