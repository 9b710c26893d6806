(* What depends on its schedule without a race: each with a twin that does not. The arguments are the name of one, and
   "twin" for that. *)

let n = 40
let each f = Drover.parallel_for ~start:1 ~finish:n f
let print_ints l = print_endline (String.concat " " (List.map string_of_int l))

(* Which state an element comes to, and where states meet, is not said. *)
let merge is_twin =
  let step acc i = acc + i and merge a b = if is_twin then a + b else (2 * a) + b in
  let sum = Drover.parallel_fold ~start:1 ~finish:n ~make:(fun () -> 0) ~merge step in
  print_int sum

let floats is_twin =
  let m = Drover.Mutex.create () and sum = ref 0. in
  let value i = if is_twin then float i else 1. /. float i in
  each (fun i -> Drover.Mutex.protect m (fun () -> sum := !sum +. value i));
  Printf.printf "%.17g\n" !sum

let arrival is_twin =
  let m = Drover.Mutex.create () and l = ref [] in
  each (fun i -> Drover.Mutex.protect m (fun () -> l := i :: !l));
  print_ints (if is_twin then List.sort Int.compare !l else !l)

(* As on a busy machine: some of the iterations take some milliseconds, and the others none. *)
let arrival_late is_slow =
  let work i =
    if is_slow && i mod 3 = 0 then
      for _ = 1 to 100_000 do
        Domain.cpu_relax ()
      done
  in
  let m = Drover.Mutex.create () and l = ref [] in
  each (fun i ->
      work i;
      Drover.Mutex.protect m (fun () -> l := i :: !l));
  print_ints !l

let first_winner is_twin =
  let found =
    Drover.parallel_find_any ~start:1 ~finish:n (fun i -> if i mod 7 = 3 then Some i else None)
  in
  match found with Some i -> print_int (if is_twin then i mod 7 else i) | None -> ()

let messages is_twin =
  Drover.run (fun () ->
      let c = Drover.Chan.unbounded () in
      let send i () = Drover.Chan.send c i in
      Drover.Scope.run (fun s -> List.iter (fun i -> Drover.Scope.spawn s (send i)) [ 1; 2; 3; 4 ]);
      let all = List.init 4 (fun _ -> Drover.Chan.recv c) in
      print_ints (if is_twin then List.sort Int.compare all else all))

(* The locks of two are taken in two orders. *)
let deadlock is_twin =
  Drover.run (fun () ->
      let a = Drover.Mutex.create () and b = Drover.Mutex.create () in
      let both x y () =
        Drover.Mutex.protect x (fun () ->
            Drover.parallel_for ~start:1 ~finish:4 ignore;
            Drover.Mutex.protect y ignore)
      in
      let p = Drover.async (both a b) in
      let q = Drover.async (if is_twin then both a b else both b a) in
      Drover.await p;
      Drover.await q;
      print_string "done")

let forgotten_wait is_twin =
  Drover.run (fun () ->
      let results = Atomic.make 0 in
      let p = Drover.async (fun () -> Atomic.set results 1) in
      let other = Drover.async ignore in
      Drover.await other;
      if is_twin then Drover.await p;
      print_int (Atomic.get results);
      Drover.await p)

let all =
  [
    ("merge", merge);
    ("floats", floats);
    ("arrival", arrival);
    ("arrival-late", arrival_late);
    ("first-winner", first_winner);
    ("messages", messages);
    ("deadlock", deadlock);
    ("forgotten-wait", forgotten_wait);
  ]

let () = (List.assoc Sys.argv.(1) all) (Array.length Sys.argv > 2)
