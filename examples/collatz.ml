(* Two parts with names, and a lock that is held for too long: what drover stat and drover trace show
   of that. *)

(* How many steps from [n] to 1, halving what is even. *)
let steps n =
  let rec go n i =
    if n = 1 then i
    else go (if n land 1 = 0 then n / 2 else (3 * n) + 1) (i + 1)
  in
  go n 0

let n = 200_000

let longest () =
  Drover.parallel_reduce ~start:1 ~finish:n ~init:0 ~combine:Int.max steps

(* Only the step into the table needs the lock, and the search does not. *)
let tally () =
  let tally = Hashtbl.create 500 in
  let lock = Drover.Mutex.create ~name:"the tally's lock" () in
  let count i =
    Drover.Mutex.protect lock (fun () ->
        let s = steps i in
        let before = Option.value (Hashtbl.find_opt tally s) ~default:0 in
        Hashtbl.replace tally s (before + 1))
  in
  Drover.parallel_for ~start:1 ~finish:n count;
  Hashtbl.length tally

let () =
  Printf.printf "the longest way has %d steps\n"
    (Drover.named "longest" longest);
  Printf.printf "ways have %d different lengths\n"
    (Drover.named "tally" tally)
