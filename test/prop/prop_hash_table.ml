(* Hash tables against Stdlib.Map. *)

open Map_laws

module Subject = struct
  include Drover_batched.Hash_table

  type nonrec t = (int, int) t

  let name = "hash table"

  let create ~tick () =
    let hash k =
      tick k;
      k
    in
    create ~hash ~equal:Int.equal ()

  let bindings t = List.sort compare (Array.to_list (to_array t))
end

module Laws = Make (Subject)

(* Everything in few buckets, and what fails is [equal]. *)
module Collisions = Make (struct
  include Subject

  let name = "hash table, bad hash"

  let create ~tick () =
    let equal k l =
      tick k;
      tick l;
      Int.equal k l
    in
    Drover_batched.Hash_table.create ~hash:(fun k -> Bool.to_int (k > 1000)) ~equal ()
end)

let () =
  Test_support.Properties.run
    (Laws.tests
    @ [
        law ~count:10 "hash table, bad hash: batches agree with Map" Collisions.agrees;
        law ~count:10 "hash table, bad hash: an equality that raises at times loses nothing else"
          Collisions.shaky;
      ])
