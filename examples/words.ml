(* How often each word occurs, in hash tables that are merged. *)

let add counts word n =
  match Hashtbl.find_opt counts word with
  | Some count -> count := !count + n
  | None -> Hashtbl.add counts word (ref n)

(* The smaller table goes into the larger one. *)
let merge a b =
  let small, large =
    if Hashtbl.length a < Hashtbl.length b then (a, b) else (b, a)
  in
  Hashtbl.iter (fun word n -> add large word !n) small;
  large

let count text =
  let make () = Hashtbl.create 1_000 in
  let step counts word =
    add counts word 1;
    counts
  in
  Drover.Text.fold_words ~make ~merge step text

let () =
  let text =
    String.concat "\n"
      (List.init 10_000 (fun i -> Printf.sprintf "to be %d" (i mod 3)))
  in
  let counts = count text in
  List.iter
    (fun word -> Printf.printf "%s %d\n" word !(Hashtbl.find counts word))
    [ "to"; "be"; "0"; "2" ]
