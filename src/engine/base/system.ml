let now () = Int64.to_float Runtime_events.Timestamp.(to_int64 (get_current ())) *. 1e-9

(* Not by a channel, which has 64 KB: some are read a hundred times a second, and are shorter than 128
   bytes. What is allocated for them brings collections nearer, which wait for code without a safepoint. The longer
   ones take as much at a time as the minor heap allocates. Probe: setup. *)
let read path =
  let text = Buffer.create 128 in
  let rec fill file part =
    let n = Unix.read file part 0 (Bytes.length part) in
    Buffer.add_subbytes text part 0 n;
    if n = 128 then fill file (Bytes.create 2000) else if n > 0 then fill file part
  in
  match
    let file = Unix.openfile path [ O_RDONLY; O_CLOEXEC ] 0 in
    match fill file (Bytes.create 128) with
    | () -> Unix.close file
    | exception exn ->
        Unix.close file;
        raise exn
  with
  | () -> String.trim (Buffer.contents text)
  | exception Unix.Unix_error _ -> ""
