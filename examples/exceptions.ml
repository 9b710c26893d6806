(* When a part fails, the whole fails: once all that had started has ended. *)

let parse line =
  match int_of_string_opt line with
  | Some n -> n
  | None -> failwith ("not a number: " ^ line)

let () =
  match Drover.both (fun () -> parse "40") (fun () -> parse "two") with
  | a, b -> Printf.printf "%d\n" (a + b)
  | exception Failure message -> print_endline message

let () =
  let a, b = Drover.both (fun () -> parse "40") (fun () -> parse "2") in
  Printf.printf "%d\n" (a + b)

let () =
  match Drover.await (Drover.async (fun () -> parse "three")) with
  | n -> Printf.printf "%d\n" n
  | exception Failure message -> print_endline message
