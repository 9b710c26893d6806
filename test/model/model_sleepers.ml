(* The protocol of sleepers.mli loses no wake-up: when everything has come to rest, no item of work
   lies there while a worker sleeps that nobody wakes. *)

type worker = { wakes : int Atomic.t; mutable asleep : bool }
type world = { items : int Atomic.t; sleepers : Sleepers.t; workers : worker array }

(* Busy --no work--> announced --second look finds nothing--> asleep --woken--> looks again. A
   worker that takes an item is busy with it for good: only the others can take the next. *)

let rec take w =
  let n = Atomic.get w.items in
  n > 0 && (Atomic.compare_and_set w.items n (n - 1) || take w)

let rec wake_one w =
  let i = Sleepers.first w.sleepers in
  if i <> Sleepers.nobody then
    match Sleepers.try_to_remove w.sleepers i with
    | Removed -> Atomic.incr w.workers.(i).wakes
    | Gone | Disturbed -> wake_one w

let produce w =
  Atomic.incr w.items;
  wake_one w

let work w i =
  if not (take w) then begin
    Sleepers.announce w.sleepers i;
    if not (take w) then w.workers.(i).asleep <- true
    else if not (Sleepers.remove w.sleepers i) then wake_one w
  end

(* What the woken ones do in the end: they look for work, as in their loop. *)
let rec settle w =
  Array.iteri
    (fun i worker ->
      if worker.asleep && Atomic.get worker.wakes > 0 then begin
        worker.asleep <- false;
        Atomic.set worker.wakes 0;
        work w i;
        settle w
      end)
    w.workers

let model ~workers ~producers () =
  let w =
    {
      items = Atomic.make 0;
      sleepers = Sleepers.create workers;
      workers = Array.init workers (fun _ -> { wakes = Atomic.make 0; asleep = false });
    }
  in
  let finally () =
    settle w;
    let asleep = Array.exists (fun worker -> worker.asleep) w.workers in
    if Atomic.get w.items > 0 && asleep then Alcotest.fail "work lies there, a worker sleeps"
  in
  let produce n () =
    for _ = 1 to n do
      produce w
    done
  in
  (List.init workers (fun i () -> work w i) @ List.map produce producers, finally)

let () =
  Alcotest.run "model sleepers"
    [
      ( "no lost wake-up",
        [
          Explore.case "one worker, one item" (model ~workers:1 ~producers:[ 1 ]);
          Explore.case "one worker, two producers" (model ~workers:1 ~producers:[ 1; 1 ]);
          Explore.case "two workers, one item" (model ~workers:2 ~producers:[ 1 ]);
          Explore.case "two workers, one producer of two" (model ~workers:2 ~producers:[ 2 ]);
        ] );
    ]
