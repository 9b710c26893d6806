(* A priority queue that never changes: sorted runs, the oldest elements in the first.

   What is pushed goes into the last run, as long as that is short; then a new one begins. A run
   that is no longer than the one behind it is merged with that. So an element is moved log n times
   at most, always through memory in order, which costs less than the few steps of a heap, each of
   which waits for the memory. What is popped is the least of the first elements of the runs, which
   are about log n. Sanders, "Fast Priority Queues for Cached Memory" (JEA 5, 2000), has the idea.

   Equal elements go in the order in which they came: in a run by their places, and otherwise that of
   an older run first. *)

(* Its elements are those from [first] on, of which there is one. *)
type 'a run = { elements : 'a array; first : int }

(* The least element of all begins the run [least]. *)
type 'a t = { runs : 'a run array; least : int; length : int }

let empty = { runs = [||]; least = 0; length = 0 }
let copy t = { t with length = t.length }
let[@inline] size run = Array.length run.elements - run.first
let[@inline] head run = run.elements.(run.first)

(* Without what was popped. *)
let elements run =
  if run.first = 0 then run.elements else Array.sub run.elements run.first (size run)

let rec least_from cmp runs i best =
  if i >= Array.length runs then best
  else
    let is_less = cmp (head runs.(i)) (head runs.(best)) < 0 in
    least_from cmp runs (i + 1) (if is_less then i else best)

let make cmp runs length = { runs; least = least_from cmp runs 1 0; length }
let peek t = if t.length = 0 then None else Some (head t.runs.(t.least))

(* Pushing *)

(* Shorter runs are not merged but copied, with the next element. Kernel: priority-queue. *)
let short = 32

let rec merged cmp runs =
  let n = Array.length runs in
  if n < 2 || size runs.(n - 1) < short || size runs.(n - 2) > size runs.(n - 1) then runs
  else begin
    let elements = Drover.Array.merge cmp (elements runs.(n - 2)) (elements runs.(n - 1)) in
    let runs = Array.sub runs 0 (n - 1) in
    runs.(n - 2) <- { elements; first = 0 };
    merged cmp runs
  end

(* Where a comparison raises, runs stay as they are. *)
let merge cmp t =
  let merge () =
    let runs = merged cmp t.runs in
    if runs == t.runs then t else make cmp runs t.length
  in
  try merge () with _ -> t

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

(* How many of [run] are before the index that [bound] finds. *)
let count bound cmp run x =
  bound cmp run.elements x run.first (Array.length run.elements) - run.first

let put cmp run x =
  let before = count behind cmp run x in
  let elements = Array.make (size run + 1) x in
  Array.blit run.elements run.first elements 0 before;
  Array.blit run.elements (run.first + before) elements (before + 1) (size run - before);
  { elements; first = 0 }

(* A run of its own for elements that are sorted and came last. *)
let append cmp t elements =
  let runs = Array.append t.runs [| { elements; first = 0 } |] in
  let last = Array.length t.runs in
  let is_least = last = 0 || cmp elements.(0) (head t.runs.(t.least)) < 0 in
  let least = if is_least then last else t.least in
  { runs; least; length = t.length + Array.length elements }

(* The next element that is pushed makes the last run a long one. *)
let is_about_to_merge t =
  let n = Array.length t.runs in
  n > 0 && size t.runs.(n - 1) = short - 1

let push cmp t x =
  let last = Array.length t.runs - 1 in
  if last < 0 || size t.runs.(last) >= short then append cmp t [| x |]
  else begin
    let least = if cmp x (head t.runs.(t.least)) < 0 then last else t.least in
    let runs = Array.copy t.runs in
    runs.(last) <- put cmp t.runs.(last) x;
    let t = { runs; least; length = t.length + 1 } in
    if size runs.(last) < short then t else merge cmp t
  end

let push_sorted cmp t elements =
  if Array.length elements = 0 then t else merge cmp (append cmp t elements)

(* Popping *)

(* [run] without its first [n] elements. Half of an array at most is elements that were popped. *)
let drop n run =
  let run = { run with first = run.first + n } in
  if 2 * run.first <= Array.length run.elements then run else { elements = elements run; first = 0 }

let without runs i =
  let n = Array.length runs in
  Array.append (Array.sub runs 0 i) (Array.sub runs (i + 1) (n - i - 1))

(* The least element, and the rest. *)
let pop cmp t =
  if t.length = 0 then None
  else begin
    let run = t.runs.(t.least) in
    let runs =
      if size run = 1 then without t.runs t.least
      else begin
        let runs = Array.copy t.runs in
        runs.(t.least) <- drop 1 run;
        runs
      end
    in
    Some (head run, make cmp runs (t.length - 1))
  end

let first n a = if Array.length a <= n then a else Array.sub a 0 n

(* The [n] least of all elements of [runs]. *)
let rec merge_first n cmp = function
  | [] -> [||]
  | [ run ] -> first n (elements run)
  | older :: newer ->
      let older = Array.sub older.elements older.first (Int.min n (size older)) in
      first n (Drover.Array.merge cmp older (merge_first n cmp newer))

(* How many of each run are among the first [n], of which [last] is the last: all that are less, and
   of those that are equal the older ones. *)
let shares cmp runs n last =
  let less = Array.map (fun run -> count not_before cmp run last) runs in
  let left = ref (n - Array.fold_left ( + ) 0 less) in
  let share i run =
    let equal = Int.min !left (count behind cmp run last - less.(i)) in
    left := !left - equal;
    less.(i) + equal
  in
  Array.mapi share runs

let rec pop_in_turn cmp n t popped =
  match if n = 0 then None else pop cmp t with
  | None -> (Array.of_list (List.rev popped), t)
  | Some (x, rest) -> pop_in_turn cmp (n - 1) rest (x :: popped)

let pop_together cmp n t =
  let popped = merge_first n cmp (Array.to_list t.runs) in
  let shares = shares cmp t.runs n popped.(n - 1) in
  let rest i run = if shares.(i) = size run then None else Some (drop shares.(i) run) in
  let runs = List.filter_map Fun.id (Array.to_list (Array.mapi rest t.runs)) in
  (popped, make cmp (Array.of_list runs) (t.length - n))

(* The [n] least elements, in order, or all there are; and the rest. *)
let pop_many cmp n t =
  let n = Int.min n t.length in
  if n < short then pop_in_turn cmp n t [] else pop_together cmp n t

let to_array cmp t = merge_first t.length cmp (Array.to_list t.runs)

let validate cmp t =
  let wrong what = failwith ("Drover_batched: a priority queue is broken: " ^ what) in
  let check run =
    if size run < 1 then wrong "an empty run";
    for i = run.first + 1 to Array.length run.elements - 1 do
      if cmp run.elements.(i - 1) run.elements.(i) > 0 then wrong "order"
    done
  in
  Array.iter check t.runs;
  if Array.fold_left (fun n run -> n + size run) 0 t.runs <> t.length then wrong "length";
  if t.length > 0 && least_from cmp t.runs 1 0 <> t.least then wrong "least"
