(* Roots: nothing that a single operation or a batch has done is lost, though a batch changes in place
   what singles look at. *)

(* A set of numbers: those in [many] are changed in place, by batches. *)
type set = Empty | Set of { many : int list ref; few : int list }

let members = function Empty -> [] | Set s -> s.few @ !(s.many)
let copy = function Empty -> Empty | Set s -> Set { s with few = s.few }

let add x = function
  | Empty -> Set { many = ref []; few = [ x ] }
  | Set s as set -> if List.mem x (members set) then set else Set { s with few = x :: s.few }

let model start ~singles ~batches () =
  let root = Root.create ~constant:Empty ~copy (start ()) in
  let has_gate = Atomic.make true and refused = ref [] and added = ref [] in
  let single x () =
    match Root.replace root (add x) with
    | Replaced -> added := x :: !added
    | Same -> Alcotest.failf "%d was there" x
    | Refused -> refused := x :: !refused
  in
  let change xs set ~keep =
    match set with
    | Empty -> keep (Set { many = ref xs; few = [] })
    | Set s -> s.many := xs @ !(s.many)
  in
  let batch xs () =
    if Atomic.exchange has_gate false then begin
      Root.closing root (change xs);
      added := xs @ !added;
      Atomic.set has_gate true
    end
    else refused := xs @ !refused
  in
  let finally () =
    let sorted = List.sort compare in
    Alcotest.(check (list int))
      "each was added or refused"
      (sorted (List.concat (singles :: batches)))
      (sorted (!added @ !refused));
    Alcotest.(check (list int))
      "what was added is there, once"
      (sorted (members (start ()) @ !added))
      (sorted (members (Root.get root)));
    let is_open = Root.get root = Empty || Root.replace root (add 99) = Replaced in
    Alcotest.(check bool) "open" true is_open
  in
  (List.map single singles @ List.map batch batches, finally)

let some () = Set { many = ref [ 0 ]; few = [] }
let none () = Empty

let () =
  Alcotest.run "model root"
    [
      ( "root",
        [
          Explore.case "two singles" (model some ~singles:[ 1; 2 ] ~batches:[]);
          Explore.case "a single and a batch" (model some ~singles:[ 1 ] ~batches:[ [ 2 ] ]);
          Explore.case "two singles and a batch" (model some ~singles:[ 1; 2 ] ~batches:[ [ 3 ] ]);
          Explore.case "a single and two batches"
            (model some ~singles:[ 1 ] ~batches:[ [ 2 ]; [ 3 ] ]);
          Explore.case "from nothing" (model none ~singles:[ 1 ] ~batches:[ [ 2 ] ]);
        ] );
    ]
