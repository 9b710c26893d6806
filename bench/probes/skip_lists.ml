open Drover_harness
module Op = Drover_batched.Op
module Skip_list = Drover_batched.Skip_list

(* The same lists without batches, from one thread. *)
let plain (k : Keys.t) =
  let line = Skip_line.create () in
  let serial = ref 0 in
  let insert key value =
    let finger = Skip_line.start line in
    Skip_line.seek Int.compare key finger;
    incr serial;
    match Skip_line.next finger.(0) with
    | Base b when b.key = key -> b.value <- value
    | _ -> Skip_line.link line finger (Skip_line.height_of !serial) key value
  and delete key =
    let finger = Skip_line.start line in
    Skip_line.seek Int.compare key finger;
    match Skip_line.next finger.(0) with
    | Base b as found when b.key = key -> Skip_line.unlink finger 0 found
    | _ -> ()
  in
  Array.iteri (fun i key -> insert key i) k.old;
  let insert i = insert k.fresh.(i) i and n = Array.length k.fresh in
  let undo () = Array.iter delete k.fresh and length () = Skip_line.length line in
  Contest.unbatched ~undo ~length n insert

let preloaded k =
  let list = Skip_list.create Int.compare in
  Keys.preload k (Skip_list.insert_all list);
  list

let batched (k : Keys.t) list =
  let undo () = Skip_list.delete_all list k.fresh in
  let length () = Skip_list.length list in
  let batches () = Skip_list.batch_sizes list in
  Contest.batched ~undo ~batches ~length (Array.length k.fresh)
    (fun i -> Skip_list.insert list k.fresh.(i) i)
    ~all:(fun () -> Skip_list.insert_all list (Keys.bindings k.fresh))

let in_batches (k : Keys.t) size =
  let subjects () =
    let list = preloaded k in
    let undo () = Skip_list.delete_all list k.fresh in
    let length () = Skip_list.length list in
    let insert i = Op.insert k.fresh.(i) i in
    Contest.in_turn (plain k)
    @ Contest.in_batches ~undo ~length (Array.length k.fresh) insert ~apply:(Skip_list.apply list)
  in
  Contest.measure (Keys.contest k size) [ subjects ]

(* Ten times as long. The one without batches is the same, from one thread. *)
let long size =
  let k = Keys.of_lengths ~old:10_000_000 ~fresh:100_000 in
  let subjects () =
    let list = preloaded k in
    let insert i = Skip_list.insert list k.fresh.(i) i in
    Contest.subject In_turn "sequential"
      ~undo:(fun () -> Skip_list.delete_all list k.fresh)
      ~length:(fun () -> Skip_list.length list)
      (Contest.singly (Array.length k.fresh) insert)
    :: batched k list
  in
  let results = Contest.measure (Keys.contest k size) [ subjects ] in
  let named (f : Probe.figure) = { f with label = "of 10 million, " ^ f.label } in
  List.map named (Contest.figures results)

let memory_of_long = 4_000_000_000

let long_if_possible size =
  let is_asked = Kernel.by_size size ~tiny:false ~quick:false ~full:true in
  if is_asked && Machine.free_memory () >= memory_of_long then long size else []

let run (s : Probe.settings) =
  let k = Keys.make s.size in
  let both () = plain k @ batched k (preloaded k) in
  let results = Contest.measure (Keys.contest k s.size) [ both; Saturn_maps.skip_list k ] in
  Contest.figures results
  @ Fork_of_domainslib.(figures skip_list)
  @ Keys.ratios results ~lock:"lock" @ long_if_possible s.size

let probe : Probe.t = { name = "skip-list"; doc = "inserting into a long skip list"; run }
