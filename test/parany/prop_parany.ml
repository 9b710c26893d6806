(* Parany's interface on Drover, against the functions of lists, on random inputs. *)

open Test_support
module Gen = QCheck2.Gen

type input = { elements : int list; ranks : int; csize : int; preserve : bool }

let input =
  let open Gen in
  let+ elements = list_size (oneof [ int_bound 5; int_bound 300 ]) (int_range (-100) 100)
  and+ ranks = int_range (-1) 9
  and+ csize = oneof [ int_range 1 5; int_range 1 400 ]
  and+ preserve = bool in
  { elements; ranks; csize; preserve }

let show_ints l = "[" ^ String.concat "; " (List.map string_of_int l) ^ "]"

let print { elements; ranks; csize; preserve } =
  Printf.sprintf "%d ranks, csize %d, %s %s" ranks csize
    (if preserve then "in order" else "in any order")
    (show_ints elements)

let law name holds = Watchdog.property ~name ~print input holds
let ints = Properties.agree show_ints
let sorted = List.sort Int.compare

(* Some items take longer than others, so that results overtake each other. *)
let work x =
  for _ = 1 to if x mod 7 = 0 then 1000 else 0 do
    Domain.cpu_relax ()
  done;
  x + 1

let gather { elements; ranks; csize; preserve } work =
  let rest = ref elements and results = ref [] in
  let demux () =
    match !rest with
    | [] -> raise Parany.End_of_input
    | x :: xs ->
        rest := xs;
        x
  in
  Parany.run ~preserve ~csize ranks ~demux ~work ~mux:(fun y -> results := y :: !results);
  List.rev !results

let run i =
  let in_order = if i.preserve then Fun.id else sorted in
  ints ~expected:(in_order (List.map succ i.elements)) ~found:(in_order (gather i work))

let failure i =
  let work x = if x > 50 then raise (Failing.Failed x) else x in
  match gather i work with
  | found -> ints ~expected:(sorted i.elements) ~found:(sorted found)
  | exception Failing.Failed x -> x > 50 && List.mem x i.elements

let mapi { elements; ranks; csize; preserve } =
  let f i x = i + (2 * x) in
  let found = Parany.Parmap.parmapi ~preserve ~csize ranks f elements in
  ints ~expected:(List.mapi f elements) ~found

let array_map { elements; ranks; csize; _ } =
  let found = Parany.Parmap.array_parmap ~csize ranks work 0 (Array.of_list elements) in
  ints ~expected:(List.map succ elements) ~found:(Array.to_list found)

let fold { elements; ranks; csize; _ } =
  let found =
    Parany.Parmap.parfold ~preserve:true ~csize ranks work (fun l y -> y :: l) [] elements
  in
  ints ~expected:(List.rev_map succ elements) ~found

let () =
  Properties.run
    [
      law "run has each result once, and in order if wanted" run;
      law "a failure is an item's" failure;
      law "parmapi is mapi" mapi;
      law "array_parmap is map" array_map;
      law "parfold is fold_left of map" fold;
    ]
