(* Loops over intervals of integers; see [Divisible] for who takes which part. *)

open Divisible

let grain_of caller = function
  | Some grain when grain < 1 -> invalid_arg ("Drover." ^ caller ^ ": grain < 1")
  | Some grain -> grain
  | None -> 1

(* The inner conditions are in line: nothing between the look at [until] and the step of [next] may
   be a safepoint, where the loop could give that iteration away. *)

let each body t run i =
  let since = before_first run in
  body i;
  after_first run since;
  while more t run do
    let { Rest.loop; home; _ } = run.rest in
    let next = ref loop.next in
    while Worker.is_still home && !next < loop.until do
      let i = !next in
      next := i + 1;
      loop.next <- i + 1;
      body i
    done
  done

(* While a profile is made, iterations are watched (see [Profile]). *)

let leaves ~start ~finish =
  let n = finish - start + 1 in
  if n > 0 then n else max_int

let iteration loop f i = Profile.iteration loop (fun () -> f i)
let piece loop f lo hi = Profile.iteration loop (fun () -> f lo hi)
let combined loop combine a b = Profile.combine loop (fun () -> combine a b)

(* [init] and what [run] makes of [f], which is [watched]. *)
let reduced ~leaves ~watched ~init ~combine run f =
  let value =
    if !Profile.is_on then
      Profile.loop leaves (fun loop -> run ~combine:(combined loop combine) (watched loop f))
    else run ~combine f
  in
  combine init value

let iter_by grain ~start ~finish body =
  let run body = run_unit ~grain ~steps:(fun t run i -> each body t run i) ~start ~finish in
  if !Profile.is_on then
    Profile.loop (leaves ~start ~finish) (fun loop -> run (iteration loop body))
  else run body

let iter ?grain ~start ~finish body =
  let grain = grain_of "parallel_for" grain in
  if start <= finish then iter_by grain ~start ~finish body

(* The share of a run that begins with [i]; [base] is where the loop begins. The block that begins with
   [first] is folded in [acc], up to [stop], and [share] is what lies before. Of a block that it has
   not from its start a run takes one value at a time. *)
let reduce_steps f ~combine ~block ~base t run i =
  let since = before_first run in
  let acc = ref (f i) and share = ref [] in
  after_first run since;
  let stop_of i = if (i - base) land (block - 1) = 0 then i + block else i + 1 in
  let first = ref i and stop = ref (stop_of i) and last = ref i in
  while more t run do
    let { Rest.loop; home; _ } = run.rest in
    let next = ref loop.next in
    while Worker.is_still home && !next < loop.until do
      let i = !next in
      next := i + 1;
      loop.next <- i + 1;
      let value = f i in
      if i < !stop then acc := combine !acc value
      else begin
        let segment = { Grouping.first = !first - base; stop = i - base; value = !acc } in
        share := Grouping.add block combine !share segment;
        acc := value;
        first := i;
        stop := stop_of i
      end;
      last := i
    done
  done;
  let segment = { Grouping.first = !first - base; stop = !last - base + 1; value = !acc } in
  Grouping.add block combine !share segment

(* [value] is of the indices from [base] on. *)
let reduced_by ~grain ~start ~finish ~combine f =
  let block = Grouping.block (finish - start + 1) in
  let steps t run i = reduce_steps f ~combine ~block ~base:start t run i in
  let combine_shares = Grouping.join block combine in
  Grouping.value combine (run ~grain ~combine:combine_shares ~steps ~start ~finish)

let reduce ?grain ~start ~finish ~init ~combine f =
  let grain = grain_of "parallel_reduce" grain in
  let run ~combine f = reduced_by ~grain ~start ~finish ~combine f in
  if finish < start then init
  else reduced ~leaves:(leaves ~start ~finish) ~watched:iteration ~init ~combine run f

(* Ranges: a call of the body cannot be divided, so what it gets is a small part of the rest of its
   run: less and less, as in guided self-scheduling (Polychronopoulos and Kuck, 1987); and no more
   than a quarter of what the run has had before, as nobody knows yet how long an iteration takes
   and a thief waits for the end of a call. But one worker alone gets all at once; and a profile is
   to tell about many. Kernel: life. *)

let parts_per_worker = 2
let workers_of_profile = 128

let workers run =
  if !Profile.is_on then workers_of_profile else Array.length run.rest.home.team.members

let rec halvings n = if n <= 1 then 0 else 1 + halvings ((n + 1) / 2)

(* How often the rest is halved for a call; 0 for one worker. *)
let halvings_of run = match workers run with 1 -> 0 | n -> halvings (parts_per_worker * n)

(* [f] of [i] and the iterations after it that the call gets as well. The run began with [start]. The
   same holds here: no safepoint between the look at [until] and the step of [next]. *)
let[@inline] call f t run ~halvings ~start i =
  let loop = run.rest.loop in
  let rest = loop.stop - i in
  let length =
    if halvings = 0 then rest
    else Int.min rest (Int.max t.grain (Int.min ((i - start) lsr 2) ((rest - 1) lsr halvings)))
  in
  f i (Rest.take_upto run.rest (i + length) - 1)

let range_steps body t run start =
  let halvings = halvings_of run in
  let since = before_first run in
  call body t run ~halvings ~start start;
  after_first run since;
  while more t run do
    let { Rest.loop; home; _ } = run.rest in
    while Worker.is_still home && loop.next < loop.until do
      call body t run ~halvings ~start loop.next
    done
  done

let pieces ~start ~finish = Int.min (leaves ~start ~finish) (parts_per_worker * workers_of_profile)

let range ?grain ~start ~finish body =
  let grain = grain_of "parallel_range" grain in
  let run body = run_unit ~grain ~steps:(fun t run i -> range_steps body t run i) ~start ~finish in
  if start <= finish then
    if !Profile.is_on then Profile.loop (pieces ~start ~finish) (fun loop -> run (piece loop body))
    else run body

(* What a reduction calls [f] for depends on the interval and on [grain] only: at most 128 intervals,
   so that there are enough to share; and fewer of a short one, as they may be of a few instructions
   each. [n <= 0] stands for more than [max_int] integers. *)

let most_intervals = 128

let interval_length grain n =
  if n <= 0 then Int.max grain (1 lsl 56)
  else
    let root = int_of_float (sqrt (float n)) in
    Int.max grain (if n <= 16 then 1 else Int.max (1 + ((n - 1) / most_intervals)) (root / 2))

(* Where [a] is without a sign. *)
let divided_unsigned a b =
  let q = (a lsr 1) / b * 2 in
  let r = a - (q * b) in
  if r < 0 || r >= b then q + 1 else q

let reduce_range ?grain ~start ~finish ~init ~combine f =
  let grain = grain_of "parallel_reduce_range" grain in
  let length = interval_length grain (finish - start + 1) in
  let last = divided_unsigned (finish - start) length in
  let run ~combine f =
    let interval k =
      let lo = start + (k * length) in
      f lo (if k = last then finish else lo + length - 1)
    in
    reduced_by ~grain:1 ~start:0 ~finish:last ~combine interval
  in
  if finish < start then init else reduced ~leaves:(last + 1) ~watched:piece ~init ~combine run f

let find ?grain ~start ~finish f =
  let grain = grain_of "parallel_find" grain in
  let found = Atomic.make None in
  let body i =
    match f i with
    | None -> ()
    | Some _ as here ->
        ignore (Atomic.compare_and_set found None here : bool);
        raise_notrace Gather.Enough
  in
  match if start <= finish then iter_by grain ~start ~finish body with
  | () | (exception Gather.Enough) -> Atomic.get found
