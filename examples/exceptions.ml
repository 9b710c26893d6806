(* When a part fails, the whole fails: once all that had started has ended. *)

let parse line =
  match int_of_string_opt line with
  | Some n -> n
  | None -> failwith ("not a number: " ^ line)

let show f =
  match f () with
  | n -> Printf.printf "%d\n" n
  | exception Failure m -> print_endline m

let () =
  show (fun () ->
      let a, b = Drover.both (fun () -> parse "40") (fun () -> parse "2") in
      a + b);
  show (fun () ->
      let a, b =
        Drover.both (fun () -> parse "40") (fun () -> parse "two")
      in
      a + b)

let () =
  let failing = Drover.async (fun () -> parse "three") in
  show (fun () -> Drover.await failing)
