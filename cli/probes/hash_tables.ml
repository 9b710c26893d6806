open Drover_harness
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

let batched (k : Keys.t) () =
  let table = Hash_table.create ~hash:Fun.id ~equal:Int.equal () in
  Keys.preload k (Hash_table.insert_all table);
  let undo () = Hash_table.delete_all table k.fresh in
  let length () = Hash_table.length table in
  let batches () = Hash_table.batch_sizes table in
  Contest.batched ~undo ~batches ~length (Array.length k.fresh)
    (fun i -> Hash_table.insert table k.fresh.(i) i)
    ~all:(fun () -> Hash_table.insert_all table (Keys.bindings k.fresh))

let run (s : Probe.settings) =
  let k = Keys.make s.size in
  let groups = [ stdlib k; batched k; Saturn_maps.hash_table k; Kcas_maps.hash_table k ] in
  let results = Contest.measure (Keys.contest k s.size) groups in
  Contest.figures results @ Keys.ratios ~goals:false results ~lock:"lock"

let probe : Probe.t = { name = "hash-table"; doc = "inserting into a large hash table"; run }
