(* Programs on simulated processors have the right results, and the same seed gives the same figures. The
   arguments are what figures.exe has printed, on 16 processors, on 64, and on 16 again. *)

let read file = In_channel.with_open_text file In_channel.input_lines
let fields = String.split_on_char '\t'
let name line = List.hd (fields line)
let check_result line () = Alcotest.(check string) "the result" "right" (List.nth (fields line) 1)
let check_same (line, again) () = Alcotest.(check string) "figures" line again

let () =
  let on_16 = read Sys.argv.(2) and on_64 = read Sys.argv.(3) and again = read Sys.argv.(4) in
  let case check line_of x = Alcotest.test_case (name (line_of x)) `Quick (check x) in
  Alcotest.run
    ~argv:[| Sys.argv.(0); Sys.argv.(1) |]
    "simulated"
    [
      ("results on 16", List.map (case check_result Fun.id) on_16);
      ("results on 64", List.map (case check_result Fun.id) on_64);
      ("figures again", List.map (case check_same fst) (List.combine on_16 again));
    ]
