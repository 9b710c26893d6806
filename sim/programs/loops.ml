(* Loops, whose iterations cost more or less. *)

open Program

let parallel_for n body = Drover.parallel_for ~start:0 ~finish:(n - 1) body

let even w =
  each
    ~name:("for-" ^ duration w)
    ~doc:(Printf.sprintf "a loop of iterations of %s" (duration w))
    ~work:w
    (fun n visit ->
      parallel_for n (fun i ->
          busy w;
          visit i))

(* Iteration [i] of [n] costs [cost n i], on average [mean]. *)
let uneven name doc ~mean cost =
  let of_size size =
    let n = fitting size ~each:mean in
    let run visit =
      parallel_for n (fun i ->
          busy (cost n i);
          visit i)
    in
    { work = sum n (cost n); operations = n; prepare = marking n run }
  in
  { name; doc; of_size }

let triangular =
  uneven "triangular" "a loop of iterations of 0 to 2us, rising" ~mean:1_000 (fun n i ->
      1 + (2_000 * i / n))

(* 100 ns with each number of heads in a row twice as much *)
let skewed =
  let rec heads h = if h land 1 = 0 then 0 else 1 + heads (h lsr 1) in
  uneven "skewed" "a loop of iterations of 100ns to 400us, few of them long" ~mean:700 (fun _ i ->
      100 lsl Int.min 12 (heads (hash i)))

let heavy =
  uneven "heavy" "a loop of iterations of 1us, one of 1ms" ~mean:1_000 (fun n i ->
      if i = n / 3 then 1_000_000 else 1_000)

let nested =
  let inner = 100 and w = 1_000 in
  let of_size size =
    let n = fitting size ~each:(inner * w) in
    let run visit =
      parallel_for n (fun i ->
          parallel_for inner (fun j ->
              busy w;
              visit ((i * inner) + j)))
    in
    { work = n * inner * w; operations = n * inner; prepare = marking (n * inner) run }
  in
  { name = "nested"; doc = "loops of 100 iterations of 1us in a loop"; of_size }

let allocating =
  each ~name:"allocating" ~doc:"a loop of iterations of 1us that allocate 200 words" ~work:1_000
    (fun n visit ->
      parallel_for n (fun i ->
          busy 1_000;
          Drover_machine.Work.allocate 200;
          visit i))

(* Bodies that wait for 100us, as for a disk: tasks that are suspended, or threads that are blocked. *)

let wait = 100e-6
let sleeps () = Drover.sleep wait
let blocks () = Drover.blocking (fun () -> Drover_shadow.Shadow.Thread.delay wait)

let waiting_loop name doc wait =
  each ~name ~doc ~work:20_000 (fun n visit ->
      parallel_for n (fun i ->
          busy 20_000;
          wait ();
          visit i))

let waiting_all name doc wait =
  each ~name ~doc ~work:20_000 (fun n visit ->
      let part i () =
        busy 20_000;
        wait ();
        visit i
      in
      ignore (Drover.all (List.init n part) : unit list))

(* So long that what counts is how many have begun when the first one ends. *)
let long =
  let w = 100_000_000 in
  let of_size size =
    let n = fitting (160 * size) ~each:w in
    let run visit =
      parallel_for n (fun i ->
          Drover_shadow.Shadow.Thread.delay (float w *. 1e-9);
          visit i)
    in
    { work = n * w; operations = n; prepare = marking n run }
  in
  {
    name = "for-long";
    doc = "a loop of 16 iterations in which the worker sleeps for 100ms, not the task";
    of_size;
  }

let all =
  [
    even 20;
    even 1_000;
    even 10_000;
    triangular;
    skewed;
    heavy;
    nested;
    allocating;
    waiting_loop "for-sleeps" "a loop of iterations of 20us that sleep for 100us" sleeps;
    waiting_all "all-sleeps" "all of functions of 20us that sleep for 100us" sleeps;
    waiting_loop "for-blocks" "a loop of iterations of 20us that block for 100us" blocks;
    waiting_all "all-blocks" "all of functions of 20us that block for 100us" blocks;
    long;
  ]
