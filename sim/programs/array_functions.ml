(* The functions on arrays, which work by blocks. *)

open Program

let on_array name doc ~each ?(work = fun a -> each * Array.length a) ~make f is_right =
  let of_size size =
    let a = Array.init (fitting size ~each) make in
    let prepare () =
      let results = ref [||] in
      { go = (fun () -> results := f a); is_right = (fun () -> is_right a !results) }
    in
    { work = work a; operations = Array.length a; prepare }
  in
  { name; doc; of_size }

let map w =
  let f x =
    busy w;
    x + 1
  in
  on_array
    ("map-" ^ duration w)
    (Printf.sprintf "Array.map of a function of %s" (duration w))
    ~each:w ~make:Fun.id (Drover.Array.map f)
    (fun a results -> results = Array.map succ a)

let scan =
  let add x y =
    busy 20;
    x + y
  in
  on_array "scan" "Array.scan with an operation of 20ns" ~each:20 ~make:Fun.id
    (Drover.Array.scan ~init:0 ~combine:add) (fun a sums ->
      sums = Array.map (fun i -> i * (i + 1) / 2) a)

(* What the standard library's sort compares *)
let comparisons a =
  let n = ref 0 in
  let compare x y =
    incr n;
    Int.compare x y
  in
  Array.stable_sort compare (Array.copy a);
  !n

let sort =
  let compare x y =
    busy 10;
    Int.compare x y
  in
  on_array "sort" "Array.sort with a comparison of 10ns" ~each:160
    ~work:(fun a -> 10 * comparisons a)
    ~make:hash
    (fun a ->
      let b = Array.copy a in
      Drover.Array.sort compare b;
      b)
    (fun a b ->
      Array.stable_sort Int.compare a;
      a = b)

let group_by =
  let groups = 100 in
  let key x =
    busy 20;
    x mod groups
  in
  on_array "group-by" "Array.group_by with a key of 20ns, into 100 groups" ~each:20 ~make:Fun.id
    (Drover.Array.group_by ~hash ~equal:Int.equal key) (fun a found ->
      let group k = Array.init (Array.length a / groups) (fun i -> (i * groups) + k) in
      found = Array.init groups (fun k -> (k, group k)))

let all = [ map 20; map 1_000; scan; sort; group_by ]
