(* Page rank: how much of a random surfer's time each page gets. *)

(* The pages that lead to v are sources.(rows.(v)) and those behind it, up
   to sources.(rows.(v + 1) - 1); links.(v) is how many pages v leads to. *)
type graph = { rows : int array; sources : int array; links : int array }

let damping = 0.85

(* So many sources of a page are shared out. *)
let many = 10_000

let ranks ~rounds { rows; sources; links } =
  let n = Array.length links in
  let rank = Array.make n (1. /. float n) and share = Array.make n 0. in
  let sum lo hi =
    let sum = ref 0. in
    for e = lo to hi do
      sum := !sum +. share.(sources.(e))
    done;
    !sum
  in
  let divide lo hi =
    for v = lo to hi do
      share.(v) <- rank.(v) /. float links.(v)
    done
  in
  let least = (1. -. damping) /. float n in
  let update lo hi =
    for v = lo to hi do
      let first = rows.(v) and last = rows.(v + 1) - 1 in
      if last - first < many then begin
        let sum = ref 0. in
        for e = first to last do
          sum := !sum +. share.(sources.(e))
        done;
        rank.(v) <- least +. (damping *. !sum)
      end
      else
        let sum =
          Drover.parallel_reduce_range ~start:first ~finish:last ~init:0.
            ~combine:( +. ) sum
        in
        rank.(v) <- least +. (damping *. sum)
    done
  in
  for _ = 1 to rounds do
    Drover.parallel_range ~start:0 ~finish:(n - 1) divide;
    Drover.parallel_range ~start:0 ~finish:(n - 1) update
  done;
  rank

(* Each page leads to the first one, which leads to all; and back. *)
let star n =
  {
    rows = Array.init (n + 1) (fun v -> if v = 0 then 0 else n + v - 2);
    sources =
      Array.init (2 * (n - 1)) (fun e -> if e < n - 1 then e + 1 else 0);
    links = Array.init n (fun v -> if v = 0 then n - 1 else 1);
  }

let () =
  let rank = ranks ~rounds:20 (star 20_001) in
  Printf.printf "the first page has %.3f, all together %.3f\n" rank.(0)
    (Drover.Array.sum_floats rank)
