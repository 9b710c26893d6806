(* Loops: see [Run] for who takes which part. *)

let grain_of caller = function
  | Some grain when grain < 1 -> invalid_arg ("Drover." ^ caller ^ ": grain < 1")
  | Some grain -> grain
  | None -> 1

(* Kernel: for-tiny. *)
let each body run i =
  body i;
  while Run.more run do
    let loop = Run.loop run and domain = This_thread.domain () in
    while Run.has_next loop domain do
      body (Run.take loop)
    done
  done

let leaves ~start ~finish =
  let n = finish - start + 1 in
  if n > 0 then n else max_int

(* How an instrument sees the functions that a loop calls (see [Hooks.loop]). *)

let iteration (l : Hooks.loop) f i = l.iteration (fun () -> f i)
let piece (l : Hooks.loop) f lo hi = l.iteration (fun () -> f lo hi)
let combined (l : Hooks.loop) combine a b = l.combine (fun () -> combine a b)

let iter_by grain ~start ~finish body =
  Hooks.loop ~combines:false (leaves ~start ~finish) iteration body (fun body ->
      Divisible.run_unit ~grain ~steps:(fun run i -> each body run i) ~start ~finish)

let iter ?grain ~start ~finish body =
  let grain = grain_of "parallel_for" grain in
  if start <= finish then iter_by grain ~start ~finish body

let reduce_tree ~grain ~start ~finish ~combine f =
  let within l (f, combine) = (iteration l f, combined l combine) in
  Hooks.loop ~combines:true (leaves ~start ~finish) within (f, combine) (fun (f, combine) ->
      let block = Reduction_tree.block (finish - start + 1) in
      let steps run i = Reduction.share run f ~combine ~block ~base:start i in
      let combine_shares share behind = Reduction_tree.join block combine share behind in
      Reduction_tree.value combine
        (Divisible.run ~grain ~combine:combine_shares ~steps ~start ~finish))

let reduce ?grain ~start ~finish ~init ~combine f =
  let grain = grain_of "parallel_reduce" grain in
  if finish < start then init else combine init (reduce_tree ~grain ~start ~finish ~combine f)

(* Ranges: a call of the body cannot be divided, so what it gets is a small part of the rest of its
   run: less and less, as in guided self-scheduling (Polychronopoulos and Kuck, 1987); and no more
   than a quarter of what the run has had before, as nobody knows yet how long an iteration takes
   and a thief waits for the end of a call. But one worker alone gets all at once. Kernel: life. *)

let parts_per_worker = 2
let rec halvings n = if n <= 1 then 0 else 1 + halvings ((n + 1) / 2)

(* With so many, nothing is left of any length, and a call gets the grain. *)
let finest = Sys.int_size - 1

let halvings_of run =
  let { Worker.members; active; _ } = (Run.home run).team in
  match Int.max !Hooks.installed.least_workers (Int.min active (Array.length members)) with
  | _ when !Hooks.installed.finest -> finest
  | 1 -> 0
  | n -> halvings (parts_per_worker * n)

(* No safepoint between the look at [until] and the step of [next]: see [Run.has_next]. *)
let[@inline] last_of_call run ~halvings ~start i =
  let loop = Run.loop run in
  let rest = loop.stop - i in
  let length =
    if halvings = 0 then rest
    else Int.min rest (Int.max loop.grain (Int.min ((i - start) lsr 2) ((rest - 1) lsr halvings)))
  in
  Run.take_upto run (i + length);
  i + length - 1

let[@inline] call f run ~halvings ~start i = f i (last_of_call run ~halvings ~start i)

let range_steps body run start =
  let halvings = halvings_of run in
  call body run ~halvings ~start start;
  while Run.more run do
    let loop = Run.loop run and domain = This_thread.domain () in
    while Run.has_next loop domain do
      call body run ~halvings ~start loop.next
    done
  done

let pieces ~start ~finish =
  Int.min (leaves ~start ~finish) (parts_per_worker * !Hooks.installed.least_workers)

let range ?grain ~start ~finish body =
  let grain = grain_of "parallel_range" grain in
  if start <= finish then
    Hooks.loop ~combines:false (pieces ~start ~finish) piece body (fun body ->
        Divisible.run_unit ~grain ~steps:(fun run i -> range_steps body run i) ~start ~finish)

(* What a reduction calls [f] for depends on the interval and on [grain] only: at most 512 intervals,
   so that each of 128 workers has some; and without [grain] no more than the root of [n], as the
   elements of a short interval may be of a few instructions each. [n <= 0] stands for more than
   [max_int] integers. *)

let most_intervals = 512

let interval_length grain n =
  if n <= 0 then Int.max (Option.value grain ~default:1) (1 lsl 56)
  else
    let least =
      match grain with Some grain -> grain | None -> int_of_float (Float.sqrt (float n))
    in
    Int.max least (1 + ((n - 1) / most_intervals))

(* Where [a] is without a sign. *)
let divided_unsigned a b =
  let q = (a lsr 1) / b * 2 in
  let r = a - (q * b) in
  if r < 0 || r >= b then q + 1 else q

let reduce_range ?grain ~start ~finish ~init ~combine f =
  ignore (grain_of "parallel_reduce_range" grain : int);
  let length = interval_length grain (finish - start + 1) in
  let last = divided_unsigned (finish - start) length in
  let interval k =
    let lo = start + (k * length) in
    f lo (if k = last then finish else lo + length - 1)
  in
  if finish < start then init
  else combine init (reduce_tree ~grain:1 ~start:0 ~finish:last ~combine interval)

let find ?grain ~start ~finish f =
  let grain = grain_of "parallel_find_any" grain in
  let found = Atomic.make None in
  let body i =
    match f i with
    | None -> ()
    | Some _ as here ->
        ignore (Atomic.compare_and_set found None here : bool);
        raise_notrace Error_group.Enough
  in
  match if start <= finish then iter_by grain ~start ~finish body with
  | () | (exception Error_group.Enough) -> Atomic.get found
