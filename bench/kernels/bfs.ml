open Drover_harness
module D = Drover.Delayed

(* The neighbours of [v] are [targets.(first.(v))] to [targets.(first.(v + 1) - 1)]. *)
type graph = { first : int array; targets : int array }

let degree g v = g.first.(v + 1) - g.first.(v)

(* Barabási and Albert, "Emergence of scaling in random networks" (1999): each node is joined to
   [links] ends of earlier edges, so that the degrees follow a power law. *)
let power_law ~links n =
  let rng = Random.State.make [| n |] in
  let ends = Array.make (2 * links * n) 0 in
  for e = 0 to (links * n) - 1 do
    ends.(2 * e) <- e / links;
    ends.((2 * e) + 1) <- (if e < links then 0 else ends.(Random.State.int rng (2 * e)))
  done;
  let first = Array.make (n + 1) 0 in
  Array.iter (fun v -> first.(v + 1) <- first.(v + 1) + 1) ends;
  for v = 1 to n do
    first.(v) <- first.(v) + first.(v - 1)
  done;
  let next = Array.copy first and targets = Array.make (Array.length ends) 0 in
  Array.iteri
    (fun i v ->
      targets.(next.(v)) <- ends.(i lxor 1);
      next.(v) <- next.(v) + 1)
    ends;
  { first; targets }

(* [distances g expand] is how far each node is from the first one; [expand frontier claim] is the
   neighbours of [frontier] that [claim] accepts. *)
let distances g expand ~fresh ~claim ~read =
  let n = Array.length g.first - 1 in
  let marks = Array.init n (fun _ -> fresh ()) in
  let rec go frontier level =
    if frontier <> [||] then go (expand frontier (fun v -> claim marks v level)) (level + 1)
  in
  ignore (claim marks 0 0 : bool);
  go [| 0 |] 1;
  Array.map read marks

let serial g =
  let expand frontier claim =
    let next = ref [] in
    Array.iter
      (fun v ->
        for e = g.first.(v) to g.first.(v + 1) - 1 do
          let u = g.targets.(e) in
          if claim u then next := u :: !next
        done)
      frontier;
    Array.of_list !next
  in
  let claim marks v level =
    !(marks.(v)) < 0
    && begin
      marks.(v) := level;
      true
    end
  in
  distances g expand ~fresh:(fun () -> ref (-1)) ~claim ~read:( ! )

let parallel g expand =
  let claim marks v level =
    Atomic.get marks.(v) < 0 && Atomic.compare_and_set marks.(v) (-1) level
  in
  distances g expand ~fresh:(fun () -> Atomic.make (-1)) ~claim ~read:Atomic.get

let neighbours g v = D.tabulate (degree g v) (fun k -> g.targets.(g.first.(v) + k))

let drover g =
  parallel g (fun frontier claim ->
      D.of_array frontier |> D.map (neighbours g) |> D.flatten |> D.filter claim |> D.to_array)

let domainslib pool g =
  parallel g (fun frontier claim ->
      let claimed lo hi =
        let next = ref [] in
        for i = lo to hi do
          let v = frontier.(i) in
          for e = g.first.(v) to g.first.(v + 1) - 1 do
            let u = g.targets.(e) in
            if claim u then next := u :: !next
          done
        done;
        Array.of_list !next
      in
      Array.concat (Chunks.map pool (Array.length frontier) claimed))

let show distances = Printf.sprintf "the farthest node is %d away" (Array.fold_left max 0 distances)

let kernel : Kernel.t =
  let prepare (p : Kernel.params) =
    let n = Kernel.by_size p.size ~tiny:3_000 ~quick:200_000 ~full:1_000_000 in
    let g = power_law ~links:8 n in
    Ok
      (Kernel.Problem
         {
           about = Printf.sprintf "%d nodes, %d edges" n (8 * n);
           input = (fun () -> g);
           serial;
           versions = [ Kernel.drover drover; Kernel.domainslib domainslib ];
           check = Kernel.equal show;
           note = show;
           picture = None;
         })
  in
  { name = "bfs"; doc = "breadth-first search of a power-law graph"; prepare }
