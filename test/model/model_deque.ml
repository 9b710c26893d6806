(* The deque: whatever the owner and the thieves do, each item is taken once, and the oldest are
   stolen first. *)

(* Items are positive, and 0 is [nil]. *)
module Deque = struct
  include Deque

  let found x = if x = 0 then None else Some x
  let pop d = found (pop d)
  let steal d = found (steal d)
end

let keep into = function Some x -> into := x :: !into | None -> ()

let rec drain d into =
  match Deque.pop d with
  | Some x ->
      into := x :: !into;
      drain d into
  | None -> ()

let steal times d into () =
  for _ = 1 to times do
    keep into (Deque.steal d)
  done

(* At once, if there are many. *)
let steal_many d into () =
  match Deque.look_at_many d with
  | Some look when Deque.steal_many d look -> into := List.rev_append (Deque.oldest look) !into
  | Some _ | None -> keep into (Deque.steal d)

(* [start d] runs before the processes. What thieves take is kept apart for each, as each must see
   the order of age. *)
let model_of steal ~start ~owner ~thieves ~check () =
  let d = Deque.create ~nil:0 in
  start d;
  let owned = ref [] and hauls = List.map (fun _ -> ref []) thieves in
  let finally () =
    let left = ref [] in
    drain d left;
    Alcotest.(check int) "length" 0 (Deque.length d);
    List.iter
      (fun haul ->
        Alcotest.(check (list int)) "oldest first" (List.sort compare !haul) (List.rev !haul))
      hauls;
    check ~kept:(!left @ !owned) ~stolen:(List.concat_map ( ! ) hauls)
  in
  ( (fun () -> owner d owned) :: List.map2 (fun times into -> steal times d into) thieves hauls,
    finally )

let model ~start = model_of steal ~start

let push_all lo hi d =
  for x = lo to hi do
    Deque.push d x
  done

let pop d owned = keep owned (Deque.pop d)
let each_once n ~kept ~stolen = Explore.each_once n (kept @ stolen)

let pop_against thieves ~pushed ~pops =
  model ~start:(push_all 1 pushed) ~thieves ~check:(each_once pushed) ~owner:(fun d owned ->
      for _ = 1 to pops do
        pop d owned
      done)

(* The owner gives room back between two items, of which thieves take the first perhaps. *)
let trim thieves =
  model ~start:(push_all 1 1) ~thieves ~check:(each_once 2) ~owner:(fun d owned ->
      pop d owned;
      Deque.trim d ~kept:2;
      Deque.push d 2;
      Deque.trim d ~kept:2)

(* The owner takes what a thief has seen among the oldest, and may put others in the place of all that it took. *)
let many_against thieves ~pushed ~pops ~pushed_then =
  let n = pushed + pushed_then in
  model_of
    (fun _ -> steal_many)
    ~start:(push_all 1 pushed) ~thieves ~check:(each_once n)
    ~owner:(fun d owned ->
      for _ = 1 to pops do
        pop d owned
      done;
      push_all (pushed + 1) n d)

let push_and_pop thieves =
  model ~start:(push_all 1 1) ~thieves ~check:(each_once 3) ~owner:(fun d owned ->
      pop d owned;
      push_all 2 3 d;
      pop d owned)

(* The array of 32 is full, and its oldest item is in the middle: the next push copies it around the
   end. *)
let growth thieves =
  let start d =
    push_all 1 32 d;
    for _ = 1 to 7 do
      ignore (Deque.steal d)
    done;
    push_all 33 39 d
  in
  model ~start ~thieves
    ~owner:(fun d owned ->
      push_all 40 41 d;
      pop d owned)
    ~check:(fun ~kept ~stolen -> Explore.each_once 34 (List.map (fun x -> x - 7) (kept @ stolen)))

(* What is dropped is gone for the owner, and a thief may have been faster. *)
let without x n ~kept ~stolen =
  Alcotest.(check bool) "dropped" false (List.mem x kept);
  Explore.each_once n (kept @ if List.mem x stolen then stolen else x :: stolen)

let drop_newest thieves =
  model ~start:(push_all 1 1) ~thieves ~check:(without 2 2) ~owner:(fun d _ ->
      Deque.push d 2;
      Deque.drop d 2)

let drop_last thieves =
  model ~start:(push_all 1 1) ~thieves ~check:(without 1 2) ~owner:(fun d owned ->
      Deque.drop d 1;
      Deque.push d 2;
      pop d owned)

let drop_older thieves =
  model ~start:(push_all 1 2) ~thieves ~check:(each_once 2) ~owner:(fun d _ -> Deque.drop d 1)

(* The owner only takes: whoever has seen nothing left sees nothing later. *)
let looks () =
  let d = Deque.create ~nil:0 in
  Deque.push d 1;
  let length = ref 1 and was_empty = ref true in
  let look () =
    length := Deque.length d;
    was_empty := Deque.is_empty d
  in
  ( [ (fun () -> ignore (Deque.pop d)); look ],
    fun () -> Alcotest.(check bool) "still none" true (!length > 0 || !was_empty) )

let () =
  Alcotest.run "model deque"
    [
      ( "pop",
        [
          Explore.case "last item" (pop_against [ 1 ] ~pushed:1 ~pops:1);
          Explore.case "last item, two thieves" (pop_against [ 1; 1 ] ~pushed:1 ~pops:1);
          Explore.case "two items, one thief twice" (pop_against [ 2 ] ~pushed:2 ~pops:2);
          Explore.case "two items, two thieves" (pop_against [ 1; 1 ] ~pushed:2 ~pops:2);
          Explore.case "three items, two thieves" (pop_against [ 1; 1 ] ~pushed:3 ~pops:2);
          Explore.case "two thieves twice" (pop_against [ 2; 2 ] ~pushed:3 ~pops:2);
          Explore.case "three thieves" (pop_against [ 1; 1; 1 ] ~pushed:2 ~pops:2);
        ] );
      ( "many",
        [
          Explore.case "one thief" (many_against [ 1 ] ~pushed:5 ~pops:4 ~pushed_then:0);
          Explore.case "the last" (many_against [ 1 ] ~pushed:5 ~pops:5 ~pushed_then:0);
          Explore.case "others in their place" (many_against [ 1 ] ~pushed:5 ~pops:4 ~pushed_then:4);
          Explore.case "two thieves" (many_against [ 1; 1 ] ~pushed:6 ~pops:5 ~pushed_then:1);
        ] );
      ("look", [ Explore.case "last item" looks ]);
      ( "push",
        [
          Explore.case "push and pop, one thief" (push_and_pop [ 2 ]);
          Explore.case "push and pop, two thieves" (push_and_pop [ 1; 1 ]);
        ] );
      ( "growth",
        [ Explore.case "one thief" (growth [ 2 ]); Explore.case "two thieves" (growth [ 1; 1 ]) ] );
      ("trim", [ Explore.case "one thief" (trim [ 2 ]); Explore.case "two thieves" (trim [ 1; 1 ]) ]);
      ( "drop",
        [
          Explore.case "newest" (drop_newest [ 1; 1 ]);
          Explore.case "last" (drop_last [ 1; 1 ]);
          Explore.case "not the newest" (drop_older [ 1 ]);
        ] );
    ]
