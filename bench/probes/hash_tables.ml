open Drover_harness
module Op = Drover_batched.Op
module Hash_table = Drover_batched.Hash_table

module Table = Hashtbl.Make (struct
  include Int

  let hash = Hashtbl.hash
end)

let stdlib (k : Keys.t) () =
  let table = Table.create 16 in
  Array.iteri (fun i key -> Table.replace table key i) k.old;
  let insert i = Table.replace table k.fresh.(i) i and n = Array.length k.fresh in
  let undo () = Array.iter (Table.remove table) k.fresh and length () = Table.length table in
  Contest.unbatched ~undo ~length n insert

let preloaded k =
  let table = Hash_table.create ~hash:Fun.id ~equal:Int.equal () in
  Keys.preload k (Hash_table.insert_all table);
  table

let batched (k : Keys.t) () =
  let table = preloaded k in
  let undo () = Hash_table.delete_all table k.fresh in
  let length () = Hash_table.length table in
  let batches () = Hash_table.batch_sizes table in
  Contest.batched ~undo ~batches ~length (Array.length k.fresh)
    (fun i -> Hash_table.insert table k.fresh.(i) i)
    ~all:(fun () -> Hash_table.insert_all table (Keys.bindings k.fresh))

let in_batches (k : Keys.t) size =
  let sequential () = Contest.in_turn (stdlib k ())
  and subjects () =
    let table = preloaded k in
    let undo () = Hash_table.delete_all table k.fresh in
    let length () = Hash_table.length table in
    let insert i = Op.insert k.fresh.(i) i in
    Contest.in_batches ~undo ~length (Array.length k.fresh) insert ~apply:(Hash_table.apply table)
  in
  Contest.measure (Keys.contest k size) [ sequential; subjects ]

let run (s : Probe.settings) =
  let k = Keys.make s.size in
  let groups = [ stdlib k; batched k; Saturn_maps.hash_table k; Kcas_structures.hash_table k ] in
  let results = Contest.measure (Keys.contest k s.size) groups in
  Contest.figures results @ Keys.ratios ~goals:false results ~lock:"lock"

let probe : Probe.t = { name = "hash-table"; doc = "inserting into a large hash table"; run }
