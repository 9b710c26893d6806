(* k-means: the colours of a picture become sixteen. Each colour goes to the nearest of sixteen
   centres, and each centre moves to the middle of its colours, until that changes nothing. *)

let centres = 16
let most_rounds = 20

(* Sums of red, green and blue, and how many, for each centre. *)
let no_sums () = Array.make (4 * centres) 0

let nearest middle rgb c =
  let best = ref 0 and least = ref max_int in
  for k = 0 to centres - 1 do
    let red = rgb.(3 * c) - middle.(3 * k)
    and green = rgb.((3 * c) + 1) - middle.((3 * k) + 1)
    and blue = rgb.((3 * c) + 2) - middle.((3 * k) + 2) in
    let d = (red * red) + (green * green) + (blue * blue) in
    if d < !least then begin
      least := d;
      best := k
    end
  done;
  !best

let sum middle rgb sums lo hi =
  for c = lo to hi do
    let k = 4 * nearest middle rgb c in
    for i = 0 to 2 do
      sums.(k + i) <- sums.(k + i) + rgb.((3 * c) + i)
    done;
    sums.(k + 3) <- sums.(k + 3) + 1
  done;
  sums

let merge = Array.map2 ( + )

let middles middle sums =
  Array.mapi
    (fun i before ->
      let k = i / 3 in
      let n = sums.((4 * k) + 3) in
      if n = 0 then before else sums.((4 * k) + (i mod 3)) / n)
    middle

(* [sum_all step] is what [step no_sums lo hi] makes of all colours. *)
let cluster sum_all rgb =
  let rec go round middle =
    let next =
      middles middle (sum_all (Array.length rgb / 3) (sum middle rgb))
    in
    if round = most_rounds || next = middle then next
    else go (round + 1) next
  in
  go 1 (Array.sub rgb 0 (3 * centres))

let serial = cluster (fun n step -> step (no_sums ()) 0 (n - 1))

let drover =
  cluster (fun n step ->
      Drover.parallel_fold_range ~start:0 ~finish:(n - 1) ~make:no_sums
        ~merge step)

let domainslib pool =
  cluster (fun n step ->
      By_hand.fold pool n (fun lo hi -> step (no_sums ()) lo hi) merge)

(* Colours around thirty that are frequent. *)
let input n =
  let rng = Random.State.make [| n |] in
  let frequent = Array.init 90 (fun _ -> Random.State.int rng 256) in
  let colour _ =
    let k = 3 * Random.State.int rng 30 in
    Array.init 3 (fun i ->
        (frequent.(k + i) + Random.State.int rng 40) land 255)
  in
  Array.concat (List.init n colour)

let kernel =
  Program.kernel ~name:"k-means"
    ~doc:"the colours of a picture become sixteen, by k-means"
    ~sizes:(1_000, 200_000, 1_000_000)
    ~about:(Printf.sprintf "%d colours")
    ~input
    ~show:(fun m ->
      Printf.sprintf "the first is %d, %d, %d" m.(0) m.(1) m.(2))
    ~serial ~drover ~domainslib ()
