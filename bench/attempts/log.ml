(* Lines "USER METHOD PATH BYTES" of a log, and how many bytes each user was sent. *)

let user_and_bytes line =
  match String.split_on_char ' ' line with
  | [ user; _; _; bytes ] -> Some (user, int_of_string bytes)
  | _ -> None

let add sums user n =
  match Hashtbl.find_opt sums user with
  | Some sum -> sum := !sum + n
  | None -> Hashtbl.add sums user (ref n)

let add_line sums line =
  Option.iter (fun (user, n) -> add sums user n) (user_and_bytes line)

let sorted sums =
  List.sort compare
    (List.of_seq (Seq.map (fun (u, n) -> (u, !n)) (Hashtbl.to_seq sums)))

let of_lines lines =
  let sums = Hashtbl.create 1_000 in
  Seq.iter (add_line sums) lines;
  sorted sums

(* The lines of a file, read as they are consumed. *)
let with_lines path f =
  In_channel.with_open_bin path (fun log ->
      f (Seq.of_dispenser (fun () -> In_channel.input_line log)))

let serial_of_file path = with_lines path of_lines

let serial_of_text text =
  let lines = String.split_on_char '\n' text in
  of_lines (List.to_seq lines)

let text lines =
  let rng = Random.State.make [| lines |] in
  let text = Buffer.create (50 * lines) in
  for i = 1 to lines do
    Printf.bprintf text "user%d GET /pages/%d/index.html %d\n"
      (Random.State.int rng (1 + (lines / 20)))
      i
      (Random.State.int rng 100_000)
  done;
  Buffer.contents text

let file lines = Files.temporary (text lines)
let about lines = Printf.sprintf "a log of %d lines" lines
let show users = Printf.sprintf "%d users" (List.length users)
