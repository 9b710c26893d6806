(* Turns: which thread goes on.

   A thread is a coroutine. Before it does what others could see ([sync]) it looks whether another is behind
   it: if so, it performs [Turn], and the loop goes on with the one that is furthest behind. So what threads do
   to each other happens in the order of their times, up to a [quantum].

   What is to happen at a certain time and is no thread's business, such as the end of a time slice, is an
   event.

   The tree: a tournament of the processors, by the time of the thread that each runs; its root is the least. *)

open World

let quantum = 20
let leaves = 256
let keys = Array.make leaves never
let winners = Array.init leaves (fun _ -> 0)

type _ Effect.t += Turn : unit Effect.t

let is_own (type a) (eff : a Effect.t) = match eff with Turn -> true | _ -> false

let next_event () =
  match By_time.min_binding_opt !w.events with Some ((at, _), _) -> at | None -> never

(* Where others wait for the processor, no further than the end of the slice. *)
let set_horizon () =
  let w = !w in
  let least = keys.(winners.(1)) in
  let others = if least = never then never else least + quantum in
  let horizon = Int.min others (next_event ()) in
  let processor = w.processors.(w.me.processor) in
  w.limit <-
    (if Queue.is_empty processor.queue then horizon else Int.min horizon (processor.slice_end - 1));
  w.horizon <- (if w.at_access == None then w.limit else -1)

let[@inline] winner j = if j >= leaves then j - leaves else winners.(j)

(* Where [i] neither was the winner nor is, nothing changes above. *)
let rec play i n =
  if n >= 1 then begin
    let l = winner (2 * n) and r = winner ((2 * n) + 1) and before = winners.(n) in
    let after = if keys.(l) <= keys.(r) then l else r in
    winners.(n) <- after;
    if before = i || after = i then play i (n / 2)
  end

let set_key i key =
  keys.(i) <- key;
  play i ((i + leaves) / 2);
  set_horizon ()

(* Each node's winner is to be of its own subtree. *)
let clear () =
  Array.fill keys 0 leaves never;
  for n = leaves - 1 downto 1 do
    winners.(n) <- (if 2 * n >= leaves then (2 * n) - leaves else winners.(2 * n))
  done

let at time call =
  let w = !w in
  let key = (time, w.event_ids) in
  w.event_ids <- w.event_ids + 1;
  w.events <- By_time.add key call w.events;
  w.limit <- Int.min w.limit time;
  w.horizon <- Int.min w.horizon time;
  key

let cancel key = !w.events <- By_time.remove key !w.events

(* For one that goes on, or that is not to go on before it is woken. *)
let[@inline never] give_turn () = Effect.perform Turn

let[@inline never] yield () =
  let t = me () in
  set_key t.processor t.time;
  give_turn ()

let[@inline never] look_around w =
  Option.iter (fun disturb -> disturb w.me) w.at_access;
  if w.me.time > w.limit && not w.is_alone then yield ()

let[@inline] sync () =
  let w = !w in
  if w.me.time > w.horizon then look_around w

(* [alone f] is [f ()], where others have no turns: it may not wait. *)
let alone f =
  let w = !w in
  w.is_alone <- true;
  Fun.protect f ~finally:(fun () -> w.is_alone <- false)

let[@inline] tick n =
  let t = me () in
  t.time <- t.time + n
