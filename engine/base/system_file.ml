let size = 2048 (* most are shorter *)

(* Not by a channel, which has 64 KB: some are read a hundred times a second. *)
let read path =
  let text = Buffer.create size and part = Bytes.create size in
  let rec fill file =
    let n = Unix.read file part 0 size in
    if n > 0 then begin
      Buffer.add_subbytes text part 0 n;
      fill file
    end
  in
  match
    let file = Unix.openfile path [ O_RDONLY; O_CLOEXEC ] 0 in
    Fun.protect ~finally:(fun () -> Unix.close file) (fun () -> fill file)
  with
  | () -> Some (String.trim (Buffer.contents text))
  | exception Unix.Unix_error _ -> None
