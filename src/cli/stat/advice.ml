open Drover_show
open Figures

let when_ condition text = if condition then [ text ] else []
let percent = Show.percent

let minor t =
  when_ (t.minor_share > 0.15)
    (Printf.sprintf
       "%s of the time went into minor collections. A larger minor heap makes them rarer: try \
        OCAMLRUNPARAM=s=8M, or ~minor_heap_words of Drover.Pool.create."
       (percent t.minor_share))

let major t =
  let share = t.gc_share -. t.minor_share -. t.barrier_share in
  when_ (share > 0.15)
    (Printf.sprintf
       "%s of the time went into the major collector. Let the heap grow more before it runs: try \
        OCAMLRUNPARAM=o=200."
       (percent share))

let barriers t =
  when_ (t.barrier_share > 0.05)
    (Printf.sprintf
       "For %s of the time, domains waited for each other to start or end a collection. Use no \
        more domains than there are free processors, and collect less often (a larger minor heap)."
       (percent t.barrier_share))

(* Then it says little that workers stood still. *)
let is_disturbed t =
  t.lack = Taken || t.fewer_share > 0.1 || t.unserved > 0.1 *. Float.max t.cpu (0.1 *. whole t)

(* Nobody has anything to do, and nothing is serial. *)
let sleeps t = t.uses_drover && knows_workers t && parallelism t < 0.02 && t.cpu < 0.02 *. t.seconds

let long_task t =
  let idle = float t.size -. parallelism t in
  when_
    (t.size > 1 && idle > 0.3 && t.longest_task > 0.3 *. t.seconds && not (is_disturbed t))
    (Printf.sprintf
       "One task occupied a worker for %s, while others had nothing to do. Divide it with both or \
        a loop."
       (Show.seconds t.longest_task))

let short_tasks t =
  let each = parallelism t *. t.seconds /. float (Int.max 1 t.tasks) in
  when_
    (t.tasks > 1000 && each < 5e-6)
    (Printf.sprintf
       "A task takes %s on average, about as long as it takes to start it. Prefer both and loops \
        to async, or give each task more to do."
       (Show.seconds each))

let cheap_iterations t =
  when_
    (t.cheap_loops > 0.1 *. t.seconds)
    (Printf.sprintf
       "Loops took %s (all together) whose iterations take %s at most, on average. %s drover scale \
        shows where."
       (Show.seconds t.cheap_loops) (Show.seconds t.cheap_iteration) Cheap.advice)

let slower t =
  let advice (comparison : Comparison.t) =
    when_
      (Comparison.is_slower comparison && comparison.over = "one domain" && not (is_disturbed t))
      "On one domain the program is faster: run it with DROVER_DOMAINS=1, or give forks and loops \
       more to do."
  in
  Option.fold t.comparison ~none:[] ~some:advice

let idle t =
  when_
    (t.size > 1 && t.uses_drover && knows_workers t
    && parallelism t < 0.6 *. float t.size
    && not (is_disturbed t || sleeps t))
    (Printf.sprintf
       "On average, %.2f of %d workers had work. drover scale shows how much of the program is \
        serial."
       (parallelism t) t.size)

let small_batches t =
  let mean = float t.batches.operations /. float (Int.max 1 t.batches.count) in
  when_
    (t.batches.count > 1000 && mean < 1.5 && t.size > 1)
    (Printf.sprintf
       "A batch has %s operations on average: operations seldom arrive at the same time, so a \
        mutex would do as well."
       (Show.digits mean))

let locks t =
  let is_of_lock (w : Waits.figures) =
    String.starts_with ~prefix:"locks " w.what && w.total > 0.5 *. t.seconds
  in
  let advice (w : Waits.figures) =
    Printf.sprintf
      "Tasks waited for %s (all together) where one %s. Hold it for less time, or give each part \
       of a loop data of its own (parallel_fold)."
      (Show.seconds w.total) w.what
  in
  Option.to_list (Option.map advice (List.find_opt is_of_lock t.waits))

let asleep t =
  when_ (sleeps t)
    "The program slept: it used no processor, and no worker had a task. Its tasks wait, or it has \
     none. If it was started with DROVER_DEBUG=1, drover where shows what waits for what."

(* Tasks had a worker without using a processor. *)
let lack t =
  match t.lack with
  | Nothing when sleeps t || not (is_disturbed t) -> []
  | Nothing | Taken ->
      [ "The processors were busy with other programs: repeat this on a quiet machine." ]
  | Asleep ->
      [
        Printf.sprintf
          "Tasks slept for %s in system calls (all together), while their workers could have run \
           other tasks. Make such calls with Drover.blocking."
          (Show.seconds ((parallelism t *. t.seconds) -. t.cpu));
      ]

let about t =
  List.concat_map
    (fun rule -> rule t)
    [
      slower;
      minor;
      major;
      barriers;
      long_task;
      short_tasks;
      cheap_iterations;
      idle;
      asleep;
      small_batches;
      locks;
      lack;
    ]
