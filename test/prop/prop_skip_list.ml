(* Skip lists against Stdlib.Map. *)

open Map_laws
module Skip_list = Drover_batched.Skip_list

module Laws = Make (struct
  include Skip_list

  type nonrec t = (int, int) t

  let name = "skip list"

  let create ~tick () =
    create (fun x y ->
        tick x;
        tick y;
        Int.compare x y)

  let bindings t = Array.to_list (to_array t)
end)

let range =
  law "skip list: range" (fun b ->
      let t = Skip_list.create Int.compare in
      let n = List.fold_left ( + ) 0 b.sizes in
      Skip_list.insert_all t (Array.init n (fun i -> (3 * i, i)));
      let lo = b.seed mod ((3 * n) + 1) in
      let hi = lo - 3 + (b.seed mod 100) in
      let inside (k, _) = lo <= k && k <= hi in
      Array.to_list (Skip_list.range t ~lo ~hi)
      = List.filter inside (List.init n (fun i -> (3 * i, i))))

let () = Test_support.Properties.run (Laws.tests @ [ range ])
