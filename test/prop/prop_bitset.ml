(* Drover.Bitset against an array of marks; and under many who add and remove at a time, where each
   change is one's. *)

open Test_support
open QCheck2
module B = Drover.Bitset

type command = Add of int | Remove of int | Mem of int | Clear

let command n =
  let place = Gen.int_bound (n - 1) in
  Gen.oneof_weighted
    [
      (8, Gen.map (fun i -> Add i) place);
      (4, Gen.map (fun i -> Remove i) place);
      (4, Gen.map (fun i -> Mem i) place);
      (1, Gen.return Clear);
    ]

let case = Gen.(1 -- 200 >>= fun n -> pair (return n) (list_size (0 -- 300) (command n)))

let agrees (n, commands) =
  let s = B.create n and marks = Array.make n false in
  let apply = function
    | Add i ->
        let fresh = not marks.(i) in
        marks.(i) <- true;
        B.add s i = fresh
    | Remove i ->
        let was = marks.(i) in
        marks.(i) <- false;
        B.remove s i = was
    | Mem i -> B.mem s i = marks.(i)
    | Clear ->
        Array.fill marks 0 n false;
        B.clear s;
        true
  in
  List.for_all apply commands
  &&
  let all = List.filter (fun i -> marks.(i)) (List.init n Fun.id) in
  B.length s = n && B.cardinal s = List.length all && Array.to_list (B.to_array s) = all

(* Each integer is added several times at a time: one that adds is told that it was first; and then
   each is removed likewise. *)
let one_is_first (n, times, domains) =
  Drover.run ~domains (fun () ->
      let s = B.create n in
      let count change =
        Drover.parallel_reduce ~start:0
          ~finish:((n * times) - 1)
          ~init:0 ~combine:( + )
          (fun i -> Bool.to_int (change s (i * 1009 mod n)))
      in
      count B.add = n && B.cardinal s = n && count B.remove = n && B.cardinal s = 0)

let () =
  let print (n, commands) = Printf.sprintf "n = %d, %d commands" n (List.length commands) in
  let print_many (n, times, domains) = Printf.sprintf "n = %d, %d, %d domains" n times domains in
  (* 1009 is prime and above them. *)
  let many = Gen.(triple (1 -- 1000) (1 -- 16) (oneof_list [ 1; 2; 4; 8 ])) in
  Properties.run
    [
      Watchdog.property ~count:300 ~name:"marks" ~print case agrees;
      Watchdog.property ~count:60 ~name:"one is first" ~print:print_many many one_is_first;
    ]
