(* Forks: trees, flat ones, and lists. *)

open Program

let tree leaf =
  let of_size size =
    let n = fitting size ~each:leaf in
    let rec count n =
      if n = 1 then begin
        busy leaf;
        1
      end
      else
        let left = n / 2 in
        let a, b = Drover.both (fun () -> count left) (fun () -> count (n - left)) in
        a + b
    in
    { work = n * leaf; operations = n; prepare = result (fun () -> count n = n) }
  in
  {
    name = "tree-" ^ duration leaf;
    doc = Printf.sprintf "a balanced tree of both, leaves of %s" (duration leaf);
    of_size;
  }

let rec number n = if n < 2 then n else number (n - 1) + number (n - 2)

let fib =
  let leaf = 100 in
  let rec go n =
    if n < 2 then begin
      busy leaf;
      n
    end
    else
      let a, b = Drover.both (fun () -> go (n - 1)) (fun () -> go (n - 2)) in
      a + b
  and leaves n = number (n + 1) in
  let of_size size =
    let rec largest n = if leaves (n + 1) > fitting size ~each:leaf then n else largest (n + 1) in
    let n = largest 10 in
    { work = leaves n * leaf; operations = leaves n; prepare = result (fun () -> go n = number n) }
  in
  { name = "fib"; doc = "a tree of both whose right sides are smaller, leaves of 100ns"; of_size }

let flat w =
  each
    ~name:("flat-" ^ duration w)
    ~doc:(Printf.sprintf "all of many functions of %s" (duration w))
    ~work:w
    (fun n visit ->
      let part i () =
        busy w;
        visit i
      in
      ignore (Drover.all (List.init n part) : unit list))

let list_right =
  each ~name:"list-right" ~doc:"both of 10us and of the rest of a list" ~work:10_000 (fun n visit ->
      let one i () =
        busy 10_000;
        visit i
      in
      let rec from i =
        if i < n then ignore (Drover.both (one i) (fun () -> from (i + 1)) : unit * unit)
      in
      from 0)

let list_left =
  each ~name:"list-left" ~doc:"both of the rest of a list and of 10us" ~work:10_000 (fun n visit ->
      let one i () =
        busy 10_000;
        visit i
      in
      let rec from i =
        if i < n then ignore (Drover.both (fun () -> from (i + 1)) (one i) : unit * unit)
      in
      from 0)

let all =
  List.map tree [ 10; 100; 1_000; 10_000 ] @ [ fib; flat 1_000; flat 10_000; list_right; list_left ]
