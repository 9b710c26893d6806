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
       "%s of the time went into the major collector. Let the heap grow more before it works: try \
        OCAMLRUNPARAM=o=200."
       (percent share))

let barriers t =
  when_ (t.barrier_share > 0.05)
    (Printf.sprintf
       "%s of the time domains waited for each other to start or end a collection. Use no more \
        domains than there are free processors, and collect less often (a larger minor heap)."
       (percent t.barrier_share))

let long_task t =
  let idle = float t.size -. parallelism t in
  when_
    (t.size > 1 && idle > 0.3 && t.longest_task > 0.3 *. t.seconds)
    (Printf.sprintf
       "One task held a worker for %s, while others had nothing to do. Divide it with both or a \
        loop."
       (Show.seconds t.longest_task))

let short_tasks t =
  let each = parallelism t *. t.seconds /. float (Int.max 1 t.tasks) in
  when_
    (t.tasks > 1000 && each < 5e-6)
    (Printf.sprintf
       "A task lasts %s on average, about what it costs to hand it over. Prefer both and loops to \
        async, or give a task more to do."
       (Show.seconds each))

let idle t =
  when_
    (t.size > 1 && t.uses_drover && parallelism t < 0.6 *. float t.size)
    (Printf.sprintf
       "On average %.2f of %d workers had work. drover scale tells how much of the program is \
        serial."
       (parallelism t) t.size)

let small_batches t =
  let mean = float t.batches.operations /. float (Int.max 1 t.batches.count) in
  when_
    (t.batches.count > 1000 && mean < 1.5 && t.size > 1)
    (Printf.sprintf
       "A batch holds %s operations on average: the operations seldom come at the same time, so a \
        mutex would do as well."
       (Show.digits mean))

(* Tasks had a worker without using a processor. *)
let lack t =
  match t.lack with
  | Nothing -> []
  | Taken ->
      [ "The processors were busy with other programs: the figures tell more on a quiet machine." ]
  | Asleep ->
      [
        Printf.sprintf
          "Tasks slept for %s in system calls (all together), each on a worker that could run \
           others. Make such calls with Drover.blocking."
          (Show.seconds ((parallelism t *. t.seconds) -. t.cpu));
      ]

let about t =
  List.concat_map
    (fun rule -> rule t)
    [ minor; major; barriers; long_task; short_tasks; idle; small_batches; lack ]
