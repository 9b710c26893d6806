(* Stands before the examples of the reference: each says something that is true. *)

let cases = ref []

let check place example =
  let holds () = Alcotest.(check bool) place true (example ()) in
  cases := Alcotest.test_case place `Quick holds :: !cases
