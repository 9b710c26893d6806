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

(* Keys as strings are: each of the four functions takes 20ns. A serial program calls [hash] for each element, and looks at
   its table; calls [equal] and [combine] for all but the first with a key; and for that it makes an entry of some
   words, which outlives collections. *)
let serial_table ~n ~keys = (n * (20 + 20 + 10)) + ((n - keys) * (20 + 20)) + (keys * 100)

let by_key name doc key_of =
  let spending w f x =
    busy w;
    f x
  in
  let reduce a =
    Drover.Array.reduce_by ~hash:(spending 20 hash)
      ~equal:(fun x y ->
        busy 20;
        Int.equal x y)
      ~combine:(fun x y ->
        busy 20;
        x + y)
      (spending 20 fst) snd a
  in
  let of_size size =
    let n = fitting size ~each:100 in
    let a = Array.init n (fun i -> (key_of ~n (hash i), i)) in
    let sums = Hashtbl.create 16 in
    let add (k, i) =
      Hashtbl.replace sums k (i + Option.value (Hashtbl.find_opt sums k) ~default:0)
    in
    Array.iter add a;
    let prepare () =
      let results = ref [||] in
      let is_right () =
        Array.length !results = Hashtbl.length sums
        && Array.for_all (fun (k, sum) -> Hashtbl.find_opt sums k = Some sum) !results
      in
      { go = (fun () -> results := reduce a); is_right }
    in
    { work = serial_table ~n ~keys:(Hashtbl.length sums); operations = n; prepare }
  in
  { name; doc; of_size }

let by_few =
  by_key "reduce-by-few" "Array.reduce_by, where a key has a thousand elements" (fun ~n h ->
      h mod Int.max 1 (n / 1_000))

let by_many =
  by_key "reduce-by-many" "Array.reduce_by, where a key has two elements" (fun ~n h ->
      h mod (n / 2))

let by_uneven =
  by_key "reduce-by-uneven" "Array.reduce_by, where one key has half of the elements, others four"
    (fun ~n h -> if h land 1 = 0 then 0 else h / 2 mod (n / 8))

let all = [ map 20; map 1_000; scan; sort; group_by; by_few; by_many; by_uneven ]
