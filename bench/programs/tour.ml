(* The shortest tour through some towns, by branch and bound: a beginning of a tour is given up when
   it cannot become shorter than the best tour that is known. *)

type towns = { count : int; distance : int array array; least : int array }

(* [least.(t)] is what it takes at least to leave [t]. *)
let towns count =
  let rng = Random.State.make [| count |] in
  let places = Array.init count (fun _ -> (Random.State.int rng 1000, Random.State.int rng 1000)) in
  let between (x, y) (x', y') = int_of_float (Float.hypot (float (x - x')) (float (y - y'))) in
  let distance = Array.map (fun p -> Array.map (between p) places) places in
  let least t =
    Array.fold_left (fun m d -> if d > 0 then Int.min m d else m) max_int distance.(t)
  in
  { count; distance; least = Array.init count least }

(* A beginning of a tour: where it ends, the set of towns that are left, its length, and what it takes
   at least to come back. *)
type path = { at : int; left : int; length : int; rest : int }

let start towns =
  { at = 0; left = (1 lsl towns.count) - 2; length = 0; rest = Array.fold_left ( + ) 0 towns.least }

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
    for town = 1 to towns.count - 1 do
      if p.left land (1 lsl town) <> 0 then begin
        let next = go towns p town in
        if next.length + next.rest < known () then search towns ~known ~found next
      end
    done

let serial towns =
  let best = ref max_int in
  let found length = best := Int.min !best length in
  search towns ~known:(fun () -> !best) ~found (start towns);
  !best

let rec lower best length =
  let before = Atomic.get best in
  if length < before && not (Atomic.compare_and_set best before length) then lower best length

(* Above that depth, the towns that may come next are tried one beside the other. *)
let depth = 3

let parallel for_all towns =
  let best = Atomic.make max_int in
  let known () = Atomic.get best and found = lower best in
  let rec branch level p =
    if level = depth then search towns ~known ~found p
    else
      for_all (towns.count - 1) (fun town ->
          if p.left land (1 lsl town) <> 0 then
            let next = go towns p town in
            if next.length + next.rest < known () then branch (level + 1) next)
  in
  branch 0 (start towns);
  Atomic.get best

let drover = parallel (fun last body -> Drover.parallel_for ~start:1 ~finish:last body)

let domainslib pool =
  parallel (fun last body ->
      Domainslib.Task.parallel_for pool ~chunk_size:1 ~start:1 ~finish:last ~body)

let kernel =
  Program.kernel ~name:"tour" ~doc:"the shortest tour, by branch and bound with a shared bound"
    ~sizes:(8, 13, 15) ~about:(Printf.sprintf "%d towns") ~input:towns
    ~show:(Printf.sprintf "length %d") ~serial ~drover ~domainslib ()
