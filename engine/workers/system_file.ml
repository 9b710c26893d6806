type opened = { mutable file : Unix.file_descr; mutable is_open : bool }

(* No safepoint lies between the system's answer and the note of it. *)

let open_ o path =
  let file = Unix.openfile path [ O_RDONLY; O_CLOEXEC ] 0 in
  o.file <- file;
  o.is_open <- true

let close o () =
  if o.is_open then begin
    (try Unix.close o.file with Unix.Unix_error _ -> ());
    o.is_open <- false
  end

let size = 512 (* most are shorter *)

(* Not by a channel, which has 64 KB: some are read a hundred times a second. *)
let read path =
  let o = { file = Unix.stdin; is_open = false } in
  let text = Buffer.create size and part = Bytes.create size in
  let rec fill () =
    let n = Unix.read o.file part 0 size in
    if n > 0 then begin
      Buffer.add_subbytes text part 0 n;
      fill ()
    end
  in
  Critical.and_then (close o) (fun () ->
      match
        open_ o path;
        fill ()
      with
      | () -> Some (String.trim (Buffer.contents text))
      | exception Unix.Unix_error _ -> None)
