open Drover_harness
module Vector = Drover_batched.Vector
module Union_find = Drover_batched.Union_find
module Table = Hashtbl.Make (Int)

let use (x : int) = ignore (Sys.opaque_identity x : int)

(* The operations on ours, and on the obvious one. *)
type kind = { name : string; ours : int -> int -> unit; plain : int -> int -> unit }

let vector name ours plain =
  let of_ours size =
    let vector = Vector.create () in
    use (Vector.append_all vector (Array.init size Fun.id));
    ours vector size
  and of_plain size = plain (Dynarray.init size Fun.id) size in
  { name = "vector, " ^ name; ours = of_ours; plain = of_plain }

let vectors =
  let at = Cells.below in
  [
    vector "append"
      (fun vector _ random -> use (Vector.append vector random))
      (fun array _ random -> Dynarray.add_last array random);
    vector "get"
      (fun vector size random -> use (Vector.get vector (at size random)))
      (fun array size random -> use (Dynarray.get array (at size random)));
    vector "set"
      (fun vector size random -> Vector.set vector (at size random) random)
      (fun array size random -> Dynarray.set array (at size random) random);
  ]

(* Of values that are there: what a user's function costs is the user's. *)
let memo =
  let value key = key + 1 in
  let ours size =
    let memo = Drover.Memo.create ~hash:Int.hash ~equal:Int.equal (fun _ key -> value key) in
    for key = 0 to size - 1 do
      use (Drover.Memo.get memo key)
    done;
    fun random -> use (Drover.Memo.get memo (Cells.below size random))
  and plain size =
    let table = Table.create 16 in
    for key = 0 to size - 1 do
      Table.replace table key (value key)
    done;
    fun random ->
      let key = Cells.below size random in
      match Table.find_opt table key with
      | Some value -> use value
      | None -> Table.replace table key (value key)
  in
  { name = "memo"; ours; plain }

(* Union by size, and path halving, as ours has them. *)
module Plain_sets = struct
  type t = { parents : int array; sizes : int array }

  let create n = { parents = Array.init n Fun.id; sizes = Array.make n 1 }

  let rec find t x =
    let parent = t.parents.(x) in
    if parent = x then x
    else begin
      t.parents.(x) <- t.parents.(parent);
      find t t.parents.(x)
    end

  let union t x y =
    let x = find t x and y = find t y in
    if x <> y then begin
      let child, root = if t.sizes.(x) < t.sizes.(y) then (x, y) else (y, x) in
      t.parents.(child) <- root;
      t.sizes.(root) <- t.sizes.(root) + t.sizes.(child)
    end
end

(* One operation in two merges. *)
let sets =
  let one ~find ~union size random =
    let x = Cells.below size random and y = Cells.below size (random lsr 30) in
    if random land 1 = 0 then use (find x) else union x y
  in
  let ours size =
    let t = Union_find.create size in
    let union x y = ignore (Union_find.union t x y : bool) in
    one ~find:(Union_find.find t) ~union size
  and plain size =
    let t = Plain_sets.create size in
    one ~find:(Plain_sets.find t) ~union:(Plain_sets.union t) size
  in
  { name = "sets, find and union"; ours; plain }

let figures (s : Probe.settings) { name; ours; plain } =
  let size = Kernel.by_size s.size ~tiny:100 ~quick:10_000 ~full:10_000 in
  Cells.figures s
    { rows = [ (name, size) ]; look_ups = [ 0 ] }
    [
      Cells.serial (Cells.of_operation plain);
      Cells.ours "ours" ~rivals:[ "mutex" ] (Cells.of_operation ours);
      Cells.rival "mutex" (Cells.of_operation (fun size -> Cells.locked (plain size)));
    ]

let run s = List.concat_map (figures s) (vectors @ [ memo; sets ])

let probe : Probe.t =
  {
    name = "other-cells";
    doc = "vectors, memo tables and sets in loops, ns: operation, work between, domains";
    run;
  }
