open Drover_harness
open Drover_show
module Op = Drover_batched.Op
module Ordered_map = Drover_batched.Ordered_map
module Hash_table = Drover_batched.Hash_table
module Queue = Drover_batched.Priority_queue

let lengths = [ 16; 64; 256; 1024; 4096 ]

(* What a batch of so many operations at two domains is to be over single ones, where the keys are
   ordered: there is a search to gain on. *)
let goals = [ (64, 1.6); (256, 1.8); (1024, 2.); (4096, 2.3) ]

(* A structure has even keys, and operations on odd ones, singly or many at a time. *)
type structure = { one : int -> unit; many : int array -> unit; undo : int array -> unit }

let even = Array.map (fun key -> 2 * key)
let bindings = Array.map (fun key -> (key, key))
let insert key = Op.insert key key

let ordered_map size =
  let map = Ordered_map.create Int.compare in
  Cells.preload size (fun keys -> Ordered_map.insert_all map (bindings (even keys)));
  {
    one = (fun key -> Ordered_map.insert map key key);
    many = (fun keys -> Ordered_map.apply map (Young.map insert keys));
    undo = Ordered_map.delete_all map;
  }

let hash_table size =
  let table = Hash_table.create ~hash:Fun.id ~equal:Int.equal () in
  Cells.preload size (fun keys -> Hash_table.insert_all table (bindings (even keys)));
  {
    one = (fun key -> Hash_table.insert table key key);
    many = (fun keys -> Hash_table.apply table (Young.map insert keys));
    undo = Hash_table.delete_all table;
  }

(* Nearly as many pops as pushes. *)
let priority_queue size =
  let queue = Queue.create Int.compare in
  Cells.preload size (fun keys -> Queue.push_all queue (even keys));
  let pushes key = key land 2 = 0 in
  let op key = if pushes key then Queue.push_op key else Queue.pop_op () in
  {
    one =
      (fun key ->
        if pushes key then Queue.push queue key else ignore (Queue.pop_min queue : int option));
    many = (fun keys -> Queue.apply queue (Young.map op keys));
    undo = ignore;
  }

let rec in_batches length f keys first =
  if first < Array.length keys then begin
    f (Array.sub keys first (Int.min length (Array.length keys - first)));
    in_batches length f keys (first + length)
  end

(* Operations a millisecond, medians, of each way to do them. The first round does not count. *)
let speeds (s : Probe.settings) ~domains structure keys ways =
  Session.use ~domains ~minor_heap_words:s.plan.minor_heap_words
    (Drover (fun f -> f ()))
    (fun ~obtained:_ run ->
      let once way =
        let took = ref 0. in
        run (fun () ->
            took := snd (Clock.time (fun () -> way keys));
            structure.undo keys);
        float (Array.length keys) /. !took /. 1e3
      in
      let round _ = List.map once ways in
      ignore (round 0 : float list);
      let rounds = Array.init s.plan.runs round in
      List.mapi (fun i _ -> Stats.median (Array.map (fun r -> List.nth r i) rounds)) ways)

let figures (s : Probe.settings) size keys (name, make, goals) =
  let structure = Drover.run ~domains:1 (fun () -> make size) in
  let single = List.hd (speeds s ~domains:1 structure keys [ Array.iter structure.one ]) in
  let ways = List.map (fun length keys -> in_batches length structure.many keys 0) lengths in
  let on domains =
    let column = Printf.sprintf "drover@%d" domains in
    let figures length speed =
      let label = Printf.sprintf "%s, %d" name length in
      let ratio goal =
        Probe.ratio ~goal:(At_least goal) ~column:(column ^ " / singly") label speed single
      in
      let goal = if domains = 2 then List.assoc_opt length goals else None in
      Probe.figure ~column label "a ms" speed :: Option.to_list (Option.map ratio goal)
    in
    List.concat (List.map2 figures lengths (speeds s ~domains structure keys ways))
  in
  Probe.figure ~column:"drover@1" (name ^ ", singly") "a ms" single
  :: List.concat_map on s.plan.domains

let run (s : Probe.settings) =
  let size, n =
    Kernel.by_size s.size ~tiny:(2000, 500) ~quick:(1_000_000, 100_000) ~full:(1_000_000, 100_000)
  in
  let odd = Array.init (2 * size) (fun i -> (2 * i) + 1) in
  Array.shuffle ~rand:(Random.State.int (Random.State.make [| size |])) odd;
  List.concat_map
    (figures s size (Array.sub odd 0 n))
    [
      ("ordered map", ordered_map, goals);
      ("hash table", hash_table, []);
      ("priority queue", priority_queue, []);
    ]

let probe : Probe.t =
  { name = "batch-lengths"; doc = "batches of so many operations, in large structures"; run }
