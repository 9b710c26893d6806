(* The shortest tour through some towns, by branch and bound: a beginning of a tour is given up when
   it cannot become shorter than the best tour that is known. *)

type towns = {
  count : int;
  distance : int array array;
  nearest : int array array; (* the others, the nearest first *)
  least : int array; (* what it takes at least to leave a town *)
}

let towns count =
  let rng = Random.State.make [| count |] in
  let places =
    Array.init count (fun _ ->
        (Random.State.int rng 1000, Random.State.int rng 1000))
  in
  let between (x, y) (x', y') =
    int_of_float (Float.hypot (float (x - x')) (float (y - y')))
  in
  let distance = Array.map (fun p -> Array.map (between p) places) places in
  let others t =
    let by_distance a b = Int.compare distance.(t).(a) distance.(t).(b) in
    List.init count Fun.id
    |> List.filter (fun u -> u <> t && u <> 0)
    |> List.sort by_distance |> Array.of_list
  in
  let shorter least d = if d > 0 then Int.min least d else least in
  let least = Array.map (Array.fold_left shorter max_int) distance in
  { count; distance; nearest = Array.init count others; least }

(* A beginning of a tour: where it ends, the set of towns that are left, its length, and what it takes
   at least to come back. *)
type path = { at : int; left : int; length : int; rest : int }

let start towns =
  {
    at = 0;
    left = (1 lsl towns.count) - 2;
    length = 0;
    rest = Array.fold_left ( + ) 0 towns.least;
  }

let go towns p town =
  {
    at = town;
    left = p.left lxor (1 lsl town);
    length = p.length + towns.distance.(p.at).(town);
    rest = p.rest - towns.least.(p.at);
  }

(* [known ()] is the length of the best tour, and [found l] says that there is one of length [l]. *)
let rec search towns ~known ~found p =
  if p.left = 0 then found (p.length + towns.distance.(p.at).(0))
  else
    Array.iter
      (fun town ->
        if p.left land (1 lsl town) <> 0 then begin
          let next = go towns p town in
          if next.length + next.rest < known () then
            search towns ~known ~found next
        end)
      towns.nearest.(p.at)

(* To go to the nearest town each time is a tour that is not bad to begin with, so that few beginnings
   are tried that a better order would have spared. *)
let rec greedy towns p =
  match
    Array.find_opt
      (fun town -> p.left land (1 lsl town) <> 0)
      towns.nearest.(p.at)
  with
  | None -> p.length + towns.distance.(p.at).(0)
  | Some town -> greedy towns (go towns p town)

let serial towns =
  let best = ref (greedy towns (start towns)) in
  let found length = best := Int.min !best length in
  search towns ~known:(fun () -> !best) ~found (start towns);
  !best

let rec lower best length =
  let before = Atomic.get best in
  if length < before && not (Atomic.compare_and_set best before length) then
    lower best length

(* Above that depth, the towns that may come next are tried one beside the other. *)
let depth = 3

let parallel for_all towns =
  let best = Atomic.make (greedy towns (start towns)) in
  let known () = Atomic.get best and found = lower best in
  let rec branch level p =
    if level = depth then search towns ~known ~found p
    else
      for_all towns.nearest.(p.at) (fun town ->
          if p.left land (1 lsl town) <> 0 then
            let next = go towns p town in
            if next.length + next.rest < known () then
              branch (level + 1) next)
  in
  branch 0 (start towns);
  Atomic.get best

let drover = parallel (fun towns try_one -> Drover.Array.iter try_one towns)

let domainslib pool =
  parallel (fun towns try_one ->
      Domainslib.Task.parallel_for pool ~chunk_size:1 ~start:0
        ~finish:(Array.length towns - 1)
        ~body:(fun i -> try_one towns.(i)))

let kernel =
  Program.kernel ~name:"tour"
    ~doc:"the shortest tour, by branch and bound with a shared bound"
    ~sizes:(8, 15, 17)
    ~about:(Printf.sprintf "%d towns")
    ~input:towns
    ~show:(Printf.sprintf "length %d")
    ~serial ~drover ~domainslib ()
