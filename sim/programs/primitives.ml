(* What the model's parameters say of one step each, as programs: to be compared with a real machine. *)

open Program
open Drover_shadow.Shadow

let primitive name doc ~operations go =
  let prepare () = { go = (fun () -> go operations); is_right = (fun () -> true) } in
  { name; doc; of_size = (fun _ -> { work = operations; operations; prepare }) }

(* [f 0] and [f 1], on two domains *)
let on_two_domains f =
  let other = Domain.spawn (fun () -> f 1) in
  f 0;
  Domain.join other

let line =
  primitive "line" "a number that two domains hand to and fro" ~operations:200_000 (fun n ->
      let turn = Atomic.make 0 in
      on_two_domains (fun me ->
          for i = 0 to (n / 2) - 1 do
            while Atomic.get turn <> (2 * i) + me do
              Domain.cpu_relax ()
            done;
            Atomic.set turn ((2 * i) + me + 1)
          done))

let contended =
  primitive "contended" "a counter that two domains add to" ~operations:1_000_000 (fun n ->
      let count = Atomic.make 0 in
      on_two_domains (fun _ ->
          for _ = 1 to n / 2 do
            ignore (Atomic.fetch_and_add count 1 : int)
          done))

let alone =
  primitive "alone" "a counter that one domain adds to" ~operations:1_000_000 (fun n ->
      let count = Atomic.make 0 in
      for _ = 1 to n do
        ignore (Atomic.fetch_and_add count 1 : int)
      done)

let wake_up =
  primitive "wake-up" "two domains that wake each other, and wait" ~operations:5_000 (fun n ->
      let turn = ref 0 and mutex = Mutex.create () and changed = Condition.create () in
      on_two_domains (fun me ->
          for i = 0 to (n / 2) - 1 do
            Mutex.lock mutex;
            while !turn <> (2 * i) + me do
              Condition.wait changed mutex
            done;
            incr turn;
            Condition.signal changed;
            Mutex.unlock mutex
          done))

let collection =
  primitive "collection" "minor collections of two domains that compute" ~operations:2_000 (fun n ->
      let is_over = Atomic.make false in
      on_two_domains (fun me ->
          if me = 1 then begin
            for _ = 1 to n do
              Gc.minor ();
              busy 10_000
            done;
            Atomic.set is_over true
          end
          else
            while not (Atomic.get is_over) do
              busy 100
            done))

let fork =
  primitive "fork" "both of two functions that do nothing" ~operations:1_000_000 (fun n ->
      for _ = 1 to n do
        ignore (Drover.both ignore ignore : unit * unit)
      done)

let all = [ alone; line; contended; wake_up; collection; fork ]
