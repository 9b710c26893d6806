(* A web server's log, in the common format, and how many bytes each user was sent:

   203.0.113.9 - user7 [10/Oct/2025:13:55:36 +0000] "GET /pages/3/index.html HTTP/1.1" 200 2326 *)

let user_and_bytes line =
  match String.split_on_char ' ' line with
  | [ _; _; user; _; _; _; _; _; _; bytes ] ->
      Option.map (fun bytes -> (user, bytes)) (int_of_string_opt bytes)
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
  let text = Buffer.create (100 * lines) in
  for i = 1 to lines do
    Printf.bprintf text
      "203.0.113.%d - user%d [10/Oct/2025:13:%02d:%02d +0000] \"GET \
       /pages/%d/index.html HTTP/1.1\" 200 %d\n"
      (i land 255)
      (Random.State.int rng (1 + (lines / 10)))
      (i / 60 mod 60)
      (i mod 60) i
      (Random.State.int rng 100_000)
  done;
  Buffer.contents text

let file lines = Files.temporary (text lines)
let about lines = Printf.sprintf "a log of %d lines" lines
let show users = Printf.sprintf "%d users" (List.length users)
