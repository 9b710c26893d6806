(* Drover.Batch and the structures of Drover_batched are linearizable: whatever two domains see, one
   domain would see that makes the same calls in some order. The oracle is the structure itself. *)

open Test_support
open Lin
open Drover_batched

(* A cell, of a function that adds up. *)
module Cell = struct
  type op = { amount : int; mutable before : int }
  type t = op Drover.Batch.t

  let init () =
    let total = ref 0 in
    Drover.Batch.create
      (Array.iter (fun op ->
           op.before <- !total;
           total := !total + op.amount))

  let cleanup _ = ()

  let add t amount =
    let op = { amount; before = 0 } in
    Drover.Batch.submit t op;
    op.before

  let value = int_bound 9
  let api = [ val_ "add" add (t @-> value @-> returning int) ]
end

module type Map = sig
  type t

  val create : unit -> t
  val find : t -> int -> int option
  val insert : t -> int -> int -> unit
  val add : t -> int -> int -> bool
  val delete : t -> int -> bool
  val update : t -> int -> (int option -> int option) -> unit
  val insert_all : t -> (int * int) array -> unit
  val delete_all : t -> int array -> unit
  val find_all : t -> int array -> int option array
  val length : t -> int
  val iter : (int -> int -> unit) -> t -> unit
end

module Api (M : Map) = struct
  type t = M.t

  let init = M.create
  let cleanup _ = ()
  let toggle m k v = M.update m k (function None -> Some v | Some _ -> None)
  let refuse m k = M.update m k (fun _ -> raise Exit)
  let insert_both m k l v = M.insert_all m [| (k, v); (l, v) |]
  let delete_both m k l = M.delete_all m [| k; l |]
  let find_both m k l = Array.to_list (M.find_all m [| k; l |])

  (* In any order. *)
  let bindings m =
    let found = ref [] in
    M.iter (fun k v -> found := ((10 * k) + v) :: !found) m;
    List.sort Int.compare !found

  let key = int_bound 3
  let value = int_bound 9

  let api =
    [
      val_ "find" M.find (t @-> key @-> returning (option int));
      val_ "insert" M.insert (t @-> key @-> value @-> returning unit);
      val_ "add" M.add (t @-> key @-> value @-> returning bool);
      val_ "delete" M.delete (t @-> key @-> returning bool);
      val_ "toggle" toggle (t @-> key @-> value @-> returning unit);
      val_ "refuse" refuse (t @-> key @-> returning_or_exc unit);
      val_ "insert_all" insert_both (t @-> key @-> key @-> value @-> returning unit);
      val_ "delete_all" delete_both (t @-> key @-> key @-> returning unit);
      val_ "find_all" find_both (t @-> key @-> key @-> returning (list (option int)));
      val_ "length" M.length (t @-> returning int);
      val_ "iter" bindings (t @-> returning (list int));
    ]
end

module Ordered = struct
  include Api (struct
    include Ordered_map

    type nonrec t = (int, int) t

    let create () = create Int.compare
  end)

  let flat bindings = List.concat_map (fun (k, v) -> [ k; v ]) (Array.to_list bindings)
  let snapshot m = flat (Tree_map.to_array (Ordered_map.snapshot m))

  (* All values become others. *)
  let modify m n =
    let change b = (Tree_map.map (fun _ v -> (v + n) mod 10) b, Tree_map.to_array b) in
    flat (Ordered_map.modify m change)

  let apply m k l v =
    let ops = [| Op.delete k; Op.add l v; Op.update k (fun _ -> Some v); Op.find l |] in
    Ordered_map.apply m ops;
    List.map Op.result (Array.to_list ops)

  (* Often of what is bound. *)
  let keep m k = Ordered_map.insert m k 0

  let api =
    api
    @ [
        val_ "snapshot" snapshot (t @-> returning (list int));
        val_ "modify" modify (t @-> value @-> returning (list int));
        val_ "apply" apply (t @-> key @-> key @-> value @-> returning (list (option int)));
        val_ "keep" keep (t @-> key @-> returning unit);
      ]
end

module Hashed = Api (struct
  include Hash_table

  type nonrec t = (int, int) t

  let create () = create ~hash:Stdlib.Fun.id ~equal:Int.equal ()
end)

module Queue = struct
  type t = int Priority_queue.t

  let init () = Priority_queue.create Int.compare
  let cleanup _ = ()
  let push_both q x y = Priority_queue.push_all q [| x; y |]
  let pop_both q = Array.to_list (Priority_queue.pop_many q 2)
  let all q = Array.to_list (Priority_queue.to_array q)
  let value = int_bound 9

  let api =
    [
      val_ "push" Priority_queue.push (t @-> value @-> returning unit);
      val_ "pop_min" Priority_queue.pop_min (t @-> returning (option int));
      val_ "peek" Priority_queue.peek (t @-> returning (option int));
      val_ "push_all" push_both (t @-> value @-> value @-> returning unit);
      val_ "pop_many" pop_both (t @-> returning (list int));
      val_ "to_array" all (t @-> returning (list int));
      val_ "length" Priority_queue.length (t @-> returning int);
    ]
end

module Sets = struct
  type t = Union_find.t

  let init () = Union_find.create 4
  let cleanup _ = ()
  let unite_both u x y z = Union_find.union_all u [| (x, y); (y, z) |]
  let no_element u = Union_find.find u (-1)
  let is_found u x = Union_find.connected u x (Union_find.find u x)
  let key = int_bound 3

  let api =
    [
      val_ "union" Union_find.union (t @-> key @-> key @-> returning bool);
      val_ "connected" Union_find.connected (t @-> key @-> key @-> returning bool);
      val_ "union_all" unite_both (t @-> key @-> key @-> key @-> returning unit);
      val_ "find" is_found (t @-> key @-> returning bool);
      val_ "no element" no_element (t @-> returning_or_exc int);
      val_ "add" Union_find.add (t @-> returning int);
      val_ "sets" Union_find.sets (t @-> returning int);
      val_ "length" Union_find.length (t @-> returning int);
    ]
end

module Elements = struct
  type t = int Vector.t

  let init () = Vector.create ()
  let cleanup _ = ()
  let double v i = Vector.update v i (fun x -> 2 * x)
  let append_both v x y = Vector.append_all v [| x; y |]
  let all v = Array.to_list (Vector.to_array v)
  let key = int_bound 3
  let value = int_bound 9

  let api =
    [
      val_ "append" Vector.append (t @-> value @-> returning int);
      val_ "get" Vector.get (t @-> key @-> returning_or_exc int);
      val_ "set" Vector.set (t @-> key @-> value @-> returning_or_exc unit);
      val_ "update" double (t @-> key @-> returning_or_exc unit);
      val_ "pop" Vector.pop (t @-> returning (option int));
      val_ "append_all" append_both (t @-> value @-> value @-> returning int);
      val_ "to_array" all (t @-> returning (list int));
      val_ "length" Vector.length (t @-> returning int);
    ]
end

module Count = struct
  type t = Counter.t

  let init () = Counter.create 0
  let cleanup _ = ()
  let double c = Counter.update c (fun n -> 2 * n)
  let refuse c = Counter.update c (fun _ -> raise Exit)
  let add_both c n m = Array.to_list (Counter.add_all c [| n; m |])
  let value = int_bound 9

  let api =
    [
      val_ "get" Counter.get (t @-> returning int);
      val_ "incr" Counter.incr (t @-> returning unit);
      val_ "add" Counter.add (t @-> value @-> returning int);
      val_ "double" double (t @-> returning int);
      val_ "refuse" refuse (t @-> returning_or_exc int);
      val_ "add_all" add_both (t @-> value @-> value @-> returning (list int));
    ]
end

(* Few commands a domain, as the search for an order grows exponentially with them: qcheck-lin's own
   [lin_test] has twelve. The races are short, so each program runs several times. *)
let test what (module S : Spec) =
  let module T = Lin_domain.Make_internal (MakeCmd (S) [@alert "-internal"]) [@alert "-internal"] in
  let name = what ^ ", by its types" in
  let programs = T.arb_cmds_triple 4 5 in
  let show = Option.get (QCheck.get_print programs) in
  QCheck.Test.make ~count:10 ~name programs (fun program ->
      Watchdog.guard ~seconds:300.
        (name ^ ": " ^ show program)
        (fun () -> Util.repeat 5 T.lin_prop program))

let () =
  Properties.run
    [
      test "batch" (module Cell);
      test "ordered map" (module Ordered);
      test "hash table" (module Hashed);
      test "priority queue" (module Queue);
      test "union-find" (module Sets);
      test "vector" (module Elements);
      test "counter" (module Count);
    ]
