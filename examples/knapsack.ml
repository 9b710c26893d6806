(* A shared bound: branches that cannot lead to more than the best that was found are not searched. *)

type item = { value : int; weight : int }

let rec raise_to best value =
  let before = Atomic.get best in
  if value > before && not (Atomic.compare_and_set best before value) then
    raise_to best value

(* The most that [room] may still give: parts of items are allowed. The
   items are in the order of their value for their weight. *)
let rec at_most items i room =
  if i = Array.length items then 0
  else
    let { value; weight } = items.(i) in
    if weight <= room then value + at_most items (i + 1) (room - weight)
    else (value * room / weight) + 1

let forks_until = 16

let knapsack items room =
  let best = Atomic.make 0 in
  let rec search i value room =
    raise_to best value;
    if
      i < Array.length items
      && value + at_most items i room > Atomic.get best
    then begin
      let { value = v; weight } = items.(i) in
      let take () =
        if weight <= room then search (i + 1) (value + v) (room - weight)
      and leave () = search (i + 1) value room in
      if i < forks_until then ignore (Drover.both take leave)
      else begin
        take ();
        leave ()
      end
    end
  in
  search 0 0 room;
  Atomic.get best

let () =
  let random = Random.State.make [| 1 |] in
  let item _ =
    let weight = 10 + Random.State.int random 90 in
    { weight; value = weight + Random.State.int random 20 }
  in
  let items = Array.init 40 item in
  let by_worth a b =
    Int.compare (b.value * a.weight) (a.value * b.weight)
  in
  Array.sort by_worth items;
  Printf.printf "%d\n" (knapsack items 800)
