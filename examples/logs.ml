(* Analysis of a log by key: how many bytes each user was sent. The file may
   be larger than memory. *)

let add sums user n =
  match Hashtbl.find_opt sums user with
  | Some sum -> sum := !sum + n
  | None -> Hashtbl.add sums user (ref n)

let merge a b =
  let small, large =
    if Hashtbl.length a < Hashtbl.length b then (a, b) else (b, a)
  in
  Hashtbl.iter (fun user sum -> add large user !sum) small;
  large

(* A line is "USER METHOD PATH BYTES". *)
let user_and_bytes line =
  match String.split_on_char ' ' line with
  | [ user; _; _; bytes ] -> Some (user, int_of_string bytes)
  | _ -> None

let add_line sums line =
  Option.iter (fun (user, n) -> add sums user n) (user_and_bytes line)

let bytes_by_user path =
  let make () = Hashtbl.create 1_000 in
  let step sums line =
    add_line sums line;
    sums
  in
  Drover.Text.fold_lines_of_file ~make ~merge step path

let () =
  let path = Filename.temp_file "access" ".log" in
  Out_channel.with_open_bin path (fun log ->
      output_string log "ada GET / 120\nbob GET / 7\nada GET /x 3\n");
  let sums = bytes_by_user path in
  Printf.printf "ada: %d bytes\n" !(Hashtbl.find sums "ada");
  Sys.remove path

(* A log that is in memory. *)
let users_of text =
  Drover.Delayed.(
    lines text |> filter_map user_and_bytes
    |> reduce_by ~combine:( + ) fst snd)

let () =
  let users = users_of "ada GET / 120\nbob GET / 7\nada GET /x 3\n" in
  Array.iter (fun (user, n) -> Printf.printf "%s: %d\n" user n) users

let serial path =
  let sums = Hashtbl.create 1_000 in
  In_channel.with_open_bin path (fun log ->
      Seq.iter (add_line sums)
        (Seq.of_dispenser (fun () -> In_channel.input_line log)));
  sums

let sorted sums =
  List.sort compare
    (List.of_seq (Seq.map (fun (u, n) -> (u, !n)) (Hashtbl.to_seq sums)))

let () =
  let path = Filename.temp_file "log" ".txt" in
  Out_channel.with_open_bin path (fun log ->
      for i = 1 to 50_000 do
        Printf.fprintf log "user%d GET /%d %d\n"
          (i * i mod 100)
          i (i mod 997)
      done);
  let sums = bytes_by_user path in
  let users =
    users_of (In_channel.with_open_bin path In_channel.input_all)
  in
  Printf.printf
    "%d users, user1 had %d bytes, as the serial loop says: %b\n"
    (Hashtbl.length sums)
    !(Hashtbl.find sums "user1")
    (sorted sums = sorted (serial path)
    && sorted sums = List.sort compare (Array.to_list users));
  Sys.remove path
