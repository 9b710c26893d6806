(* A priority queue that never changes: sorted runs, the newest elements in the first.

   What is pushed goes into the first run, as long as that is short; then a new one begins. A run
   that is no shorter than the one behind it is merged with that. So an element is moved log n times
   at most, always through memory in order, which costs less than the few steps of a heap, each of
   which waits for the memory. What is popped is the least of the first elements of the runs, which
   are about log n: each run knows the least of its own and of those behind it. Sanders, "Fast Priority
   Queues for Cached Memory" (JEA 5, 2000), has the idea.

   Equal elements go in the order in which they came: in a run by their places, and otherwise that of
   an older run first. *)

(* The elements of a run are those from [first] on, of which there is one. *)
type 'a t =
  | Empty
  | Run of {
      elements : 'a array;
      first : int;
      older : 'a t;
      least : 'a;  (** of this run and the older ones *)
      is_here : bool;  (** in this run *)
      length : int;  (** of all *)
    }

let length = function Empty -> 0 | Run r -> r.length
let peek = function Empty -> None | Run r -> Some r.least
let size = function Empty -> 0 | Run r -> Array.length r.elements - r.first

(* Behind the older runs. *)
let make cmp elements first older =
  let x = elements.(first) and n = Array.length elements - first in
  match older with
  | Empty -> Run { elements; first; older; least = x; is_here = true; length = n }
  | Run o ->
      let is_here = cmp x o.least < 0 in
      let least = if is_here then x else o.least in
      Run { elements; first; older; least; is_here; length = n + o.length }

let copy = function Empty -> Empty | Run r -> Run { r with first = r.first }

(* Without what was popped. *)
let elements_of elements first =
  if first = 0 then elements else Array.sub elements first (Array.length elements - first)

(* Pushing *)

(* Shorter runs are not merged but copied, with the next element. Probe: batch-lengths. *)
let short = 32

let rec merged cmp runs =
  match runs with
  | Run
      {
        elements = newer;
        first = m;
        older = Run { elements = older; first = n; older = rest; _ };
        _;
      }
    when size runs >= short && Array.length older - n <= Array.length newer - m ->
      let elements = Drover.Array.merge cmp (elements_of older n) (elements_of newer m) in
      merged cmp (make cmp elements 0 rest)
  | Empty | Run _ -> runs

(* Where a comparison raises, runs stay as they are. *)
let merge cmp runs = try merged cmp runs with _ -> runs

(* The first index of [lo, hi) with an element behind [x]; or with one that is not before it. *)

let rec behind cmp elements x lo hi =
  if lo >= hi then lo
  else
    let mid = (lo + hi) / 2 in
    if cmp x elements.(mid) < 0 then behind cmp elements x lo mid
    else behind cmp elements x (mid + 1) hi

let rec not_before cmp elements x lo hi =
  if lo >= hi then lo
  else
    let mid = (lo + hi) / 2 in
    if cmp elements.(mid) x < 0 then not_before cmp elements x (mid + 1) hi
    else not_before cmp elements x lo mid

(* The elements from [first] on, and [x] in its place. *)
let put cmp elements first x =
  let n = Array.length elements in
  let place = behind cmp elements x first n in
  let after = Array.make (n - first + 1) x in
  Array.blit elements first after 0 (place - first);
  Array.blit elements place after (place - first + 1) (n - place);
  after

(* The next element that is pushed makes the first run a long one. *)
let is_about_to_merge runs = size runs = short - 1

let push cmp runs x =
  match runs with
  | Run r when size runs < short ->
      let runs = make cmp (put cmp r.elements r.first x) 0 r.older in
      if size runs < short then runs else merge cmp runs
  | Empty | Run _ -> make cmp [| x |] 0 runs

(* Elements that are sorted and came last. *)
let push_sorted cmp runs elements =
  if Array.length elements = 0 then runs else merge cmp (make cmp elements 0 runs)

(* Popping *)

(* The runs with another first one, without its first [n] elements. Half of an array at most is
   elements that were popped. *)
let drop cmp n elements first older =
  let first = first + n in
  if first = Array.length elements then older
  else if 2 * first <= Array.length elements then make cmp elements first older
  else make cmp (elements_of elements first) 0 older

(* Without the least element. *)
let rec without_least cmp = function
  | Empty -> Empty
  | Run r when r.is_here -> drop cmp 1 r.elements r.first r.older
  | Run r -> make cmp r.elements r.first (without_least cmp r.older)

let pop cmp runs = match runs with Empty -> None | Run r -> Some (r.least, without_least cmp runs)
let up_to n a = if Array.length a <= n then a else Array.sub a 0 n

(* The [n] least elements, in order. *)
let rec merge_first n cmp = function
  | Empty -> [||]
  | Run { elements; first; older; _ } as runs ->
      let newer = Array.sub elements first (Int.min n (size runs)) in
      if older == Empty then newer
      else up_to n (Drover.Array.merge cmp (merge_first n cmp older) newer)

(* The runs without the elements that are less than [last], and without [equal] of those that are equal,
   the oldest; and how many of these are left. *)
let rec without_first cmp last equal = function
  | Empty -> (equal, Empty)
  | Run r ->
      let n = Array.length r.elements in
      let equal, older = without_first cmp last equal r.older in
      let less = not_before cmp r.elements last r.first n in
      let share = Int.min equal (behind cmp r.elements last less n - less) in
      (equal - share, drop cmp (less - r.first + share) r.elements r.first older)

let rec count_less cmp last = function
  | Empty -> 0
  | Run r ->
      let n = Array.length r.elements in
      not_before cmp r.elements last r.first n - r.first + count_less cmp last r.older

let rec pop_in_turn cmp n runs popped =
  match if n = 0 then None else pop cmp runs with
  | None -> (Array.of_list (List.rev popped), runs)
  | Some (x, rest) -> pop_in_turn cmp (n - 1) rest (x :: popped)

let pop_together cmp n runs =
  let popped = merge_first n cmp runs in
  let last = popped.(n - 1) in
  let _, rest = without_first cmp last (n - count_less cmp last runs) runs in
  (popped, rest)

(* The [n] least elements, in order, or all there are; and the rest. *)
let pop_many cmp n runs =
  let n = Int.min n (length runs) in
  if n < short then pop_in_turn cmp n runs [] else pop_together cmp n runs

let to_array cmp runs = merge_first (length runs) cmp runs

let rec validate cmp runs =
  let wrong what = failwith ("Drover_batched: a priority queue is broken: " ^ what) in
  match runs with
  | Empty -> ()
  | Run r ->
      if size runs < 1 then wrong "an empty run";
      for i = r.first + 1 to Array.length r.elements - 1 do
        if cmp r.elements.(i - 1) r.elements.(i) > 0 then wrong "order"
      done;
      if size runs + length r.older <> r.length then wrong "length";
      let x = r.elements.(r.first) in
      (match r.older with
      | Run o when cmp x o.least >= 0 -> if r.is_here || r.least != o.least then wrong "least"
      | Empty | Run _ -> if (not r.is_here) || r.least != x then wrong "least");
      validate cmp r.older
