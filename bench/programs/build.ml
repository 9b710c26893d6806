(* A build: things that are made of each other, each as soon as there is what it needs. *)

type plan = int list array (* what each thing needs, all of it before it *)

(* To make a thing takes a while, that differs from thing to thing. *)
let make i needed =
  let state = ref (List.fold_left (fun h n -> (h * 31) + n) i needed) in
  for _ = 1 to 2_000 + (i * 7919 mod 40_000) do
    state := (!state * 25_214_903_917) + 11
  done;
  !state land 0xffff_ffff

let serial (plan : plan) =
  let made = Array.make (Array.length plan) 0 in
  Array.iteri
    (fun i needs -> made.(i) <- make i (List.map (Array.get made) needs))
    plan;
  made

(* A promise for each thing, that awaits those for what it needs. *)
let drover plan =
  let promises =
    Array.make (Array.length plan) (Drover.Promise.of_value 0)
  in
  let start i needs =
    let needed = List.map (Array.get promises) needs in
    promises.(i) <-
      Drover.async (fun () -> make i (List.map Drover.await needed))
  in
  Array.iteri start plan;
  Array.map Drover.await promises

let domainslib pool plan =
  let open Domainslib.Task in
  let promises =
    Array.make (Array.length plan) (async pool (fun () -> 0))
  in
  let start i needs =
    let needed = List.map (Array.get promises) needs in
    promises.(i) <-
      async pool (fun () -> make i (List.map (await pool) needed))
  in
  Array.iteri start plan;
  Array.map (await pool) promises

let input n =
  let rng = Random.State.make [| n |] in
  let needs i =
    if i < 10 then []
    else
      List.init (Random.State.int rng 4) (fun _ ->
          i - 1 - Random.State.int rng (Int.min i 1000))
  in
  Array.init n needs

let kernel =
  Program.kernel ~name:"build" ~doc:"a graph of dependencies is run"
    ~sizes:(100, 10_000, 50_000)
    ~about:(Printf.sprintf "%d things to make")
    ~input
    ~show:(fun made ->
      Printf.sprintf "the last is %x" made.(Array.length made - 1))
    ~serial ~drover ~domainslib ()
