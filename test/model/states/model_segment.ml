(* A segment of a hash table: of two who replace a bucket one does, and nobody while a batch has it. *)

open Segment

let binding value = Binding { hash = 0; key = 0; value; others = Nothing }

(* Both put their binding in the empty bucket. *)
let replacing () =
  let t = create () and answers = Array.make 2 Replaced in
  let put i () = answers.(i) <- replace t 0 Nothing (binding i) 1 in
  let finally () =
    let has_replaced i = answers.(i) = Replaced in
    Alcotest.(check bool) "one does" true (has_replaced 0 <> has_replaced 1);
    let first = if has_replaced 0 then 0 else 1 in
    Alcotest.(check (option int)) "its binding" (Some first) (value (bucket t 0));
    Alcotest.(check int) "one binding" 1 t.length
  in
  ([ put 0; put 1 ], finally)

(* A batch binds [0] to 1, looks, and binds it to 2. *)
let closed () =
  let t = create () in
  let answer = ref Replaced and is_alone = ref true and has_closed = ref false in
  let put () = answer := replace t 0 Nothing (binding 0) 1 in
  let batch () =
    if try_to_close t then begin
      has_closed := true;
      let put value =
        let before = t.slots.(0) in
        ignore (replace_closed t 0 before (binding value) (if before == Nothing then 1 else 0))
      in
      put 1;
      is_alone := value t.slots.(0) = Some 1;
      put 2;
      reopen t;
      reopen t
    end
  in
  let finally () =
    Alcotest.(check bool) "alone" true !is_alone;
    Alcotest.(check bool) "one does, at least" true (!has_closed || !answer = Replaced);
    let last = if !has_closed then 2 else 0 in
    Alcotest.(check (option int)) "the last" (Some last) (value (bucket t 0));
    Alcotest.(check int) "one binding" 1 t.length
  in
  ([ put; batch ], finally)

let () =
  Alcotest.run "model segment"
    [ ("segment", [ Explore.case "two replace" replacing; Explore.case "a batch" closed ]) ]
