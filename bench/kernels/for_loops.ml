open Drover_harness
module Task = Domainslib.Task

(* A loop over [0..n-1] that stores what it computes in [size] places. These are touched before time
   is taken, or page faults would be most of what is measured. *)
type problem = {
  n : int;
  size : int;
  solve : Loop.t -> float array -> unit;
  plain : float array -> int -> int -> unit; (* from and to, as a loop of one's own *)
  about : string;
}

let[@inline] flops count x =
  let x = ref x in
  for _ = 1 to count / 2 do
    x := (!x *. 0.999) +. 0.001
  done;
  !x

let by_index ~about n cost =
  let solve (loop : Loop.t) r =
    loop ~start:0 ~finish:(n - 1) (fun i -> r.(i) <- flops (cost i) (Float.of_int i))
  in
  let plain r lo hi =
    for i = lo to hi do
      r.(i) <- flops (cost i) (Float.of_int i)
    done
  in
  { n; size = n; solve; plain; about }

let tiny n =
  let xs = Array.init n Float.of_int in
  let solve (loop : Loop.t) r = loop ~start:0 ~finish:(n - 1) (fun i -> r.(i) <- xs.(i) *. 0.5) in
  let plain r lo hi =
    for i = lo to hi do
      r.(i) <- xs.(i) *. 0.5
    done
  in
  { n; size = n; solve; plain; about = Printf.sprintf "%d iterations of 1 flop" n }

let heavy n = by_index ~about:(Printf.sprintf "%d iterations of 1000 flops" n) n (fun _ -> 1000)

let triangular n =
  by_index ~about:(Printf.sprintf "%d iterations, the i-th of i flops" n) n (fun i -> i)

(* Eight huge ones, side by side. *)
let skewed n =
  let is_huge i = i >= n / 3 && i < (n / 3) + 8 in
  by_index
    ~about:(Printf.sprintf "%d iterations, 8 of them of %d flops, the others of 10" n (n * 20))
    n
    (fun i -> if is_huge i then n * 20 else 10)

let nested n =
  let width = 1000 in
  let solve (loop : Loop.t) r =
    loop ~start:0 ~finish:(n - 1) (fun row ->
        loop ~start:0 ~finish:(width - 1) (fun column ->
            let i = (row * width) + column in
            r.(i) <- flops 20 (Float.of_int i)))
  in
  let plain r lo hi =
    for row = lo to hi do
      for column = 0 to width - 1 do
        let i = (row * width) + column in
        r.(i) <- flops 20 (Float.of_int i)
      done
    done
  in
  let about = Printf.sprintf "%d loops of %d iterations of 20 flops, in a loop" n width in
  { n; size = n * width; solve; plain; about }

let room p () = Array.make p.size 0.

let filled p loop r =
  p.solve loop r;
  r

(* One's own loop: serial, and over the ranges that Drover makes. *)
let plain_versions p =
  let over range r =
    range ~start:0 ~finish:(p.n - 1) (p.plain r);
    r
  in
  [
    Kernel.serial "serial, in line" (over (fun ~start ~finish body -> body start finish));
    Kernel.drover ~name:"drover, range"
      (over (fun ~start ~finish body -> Drover.parallel_range ~start ~finish body));
  ]

let chunked pool chunk_size ~start ~finish body =
  Task.parallel_for ~chunk_size ~start ~finish ~body pool

(* The chunk size is looked for before the first run on each number of domains. *)
let tuned p =
  let known = Hashtbl.create 4 in
  Kernel.domainslib ~name:"domainslib, best chunk" (fun pool r ->
      let domains = Task.get_num_domains pool in
      let find () = Chunks.best pool p.n (fun size -> p.solve (chunked pool size) r) in
      if not (Hashtbl.mem known domains) then Hashtbl.add known domains (find ());
      filled p (chunked pool (Hashtbl.find known domains)) r)

let sum = Array.fold_left ( +. ) 0.

let kernel name doc make ~tiny ~quick ~full : Kernel.t =
  let prepare (params : Kernel.params) =
    let p = make (Kernel.by_size params.size ~tiny ~quick ~full) in
    Ok
      (Kernel.Problem
         {
           about = p.about;
           input = room p;
           serial = filled p Loop.serial;
           versions = plain_versions p @ Loop.versions (filled p) @ [ tuned p ];
           check = Kernel.equal (fun r -> Printf.sprintf "an array with sum %g" (sum r));
           note = (fun r -> Printf.sprintf "sum %g" (sum r));
           picture = None;
         })
  in
  { name; doc; prepare }

let kernels =
  [
    kernel "for-tiny" "a loop of 1 flop an iteration" tiny ~tiny:10_000 ~quick:3_000_000
      ~full:10_000_000;
    kernel "for-heavy" "a loop of 1000 flops an iteration" heavy ~tiny:100 ~quick:50_000
      ~full:500_000;
    kernel "for-triangular" "a loop whose i-th iteration is i flops" triangular ~tiny:200
      ~quick:10_000 ~full:40_000;
    kernel "for-skewed" "a loop with eight huge iterations side by side" skewed ~tiny:300
      ~quick:200_000 ~full:1_000_000;
    kernel "for-nested" "a loop of loops" nested ~tiny:10 ~quick:2_000 ~full:20_000;
  ]
