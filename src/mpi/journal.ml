(* Journal: the results of items, in a file that outlives the program.

   The file is a header and records, each appended when its item is done:

     header = magic, digest of the program, digest of the input
     record = marker, length, item, digest of the header, of these and of the bytes; bytes

   A record that is not whole costs itself only: the reader looks for the next marker at which one is.
   What is none stays in the file, and the reader says so; but the last record, if the program ended
   while it wrote that, is removed.

   The file is synchronised with the disk once a second at most, and at the end; so what ends the
   program costs nothing, and what ends the machine a second. It has one [Owner]. *)

type t = {
  file : string;
  descriptor : Unix.file_descr;
  owner : Owner.t;
  header : string;
  mutable synchronised : float;
}

let family = "drover-mpi journal "
let magic = family ^ "2\n"
let magic_length = String.length magic
let digest_length = 16
let header_length = magic_length + (2 * digest_length)

(* [find_marker] relies on it that the first byte comes once. *)
let marker = "\xd5record\n"
let marker_length = String.length marker
let prefix_length = marker_length + 16 + digest_length
let fails file why = failwith (Printf.sprintf "Drover_mpi: the journal %s %s" file why)

(* The system's errors name it. *)
let naming file f =
  let cannot why = fails file ("cannot be used: " ^ why) in
  try f () with
  | Unix.Unix_error (error, call, _) -> cannot (Unix.error_message error ^ " (" ^ call ^ ")")
  | Sys_error why -> cannot why

let header ~program ~input = magic ^ Digest.string program ^ input

(* Of a record *)
let prefix t item text =
  let numbers = Bytes.create 16 in
  Bytes.set_int64_le numbers 0 (Int64.of_int (String.length text));
  Bytes.set_int64_le numbers 8 (Int64.of_int item);
  let start = marker ^ Bytes.to_string numbers in
  start ^ Digest.string (t.header ^ start ^ Digest.string text)

let number prefix i = Int64.to_int (String.get_int64_le prefix (marker_length + (8 * i)))

(* To read *)

let read ic length = In_channel.really_input_string ic length

(* The record that begins here, if it is whole. *)
let read_record t ic ~size =
  Option.bind (read ic prefix_length) @@ fun found ->
  let length = number found 0 and item = number found 1 in
  if length < 0 || length > size - pos_in ic then None
  else
    Option.bind (read ic length) @@ fun text ->
    if prefix t item text = found then Some (item, Bytes.of_string text) else None

(* Goes behind the next marker, if there is one; [seen] bytes of it came last. *)
let rec find_marker ic seen =
  seen = marker_length
  ||
  match In_channel.input_char ic with
  | None -> false
  | Some c when c = marker.[seen] -> find_marker ic (seen + 1)
  | Some c -> find_marker ic (if c = marker.[0] then 1 else 0)

(* Calls [f] with each record that is whole, from [start] on. Is where there is none, from begin to end,
   the last first. *)
let read_records t ic ~start f =
  let size = in_channel_length ic in
  (* [good] is the end of the record before, [at] where one may begin. *)
  let rec go gaps ~good ~at =
    let gaps_before at = if at > good then (good, at) :: gaps else gaps in
    seek_in ic at;
    match read_record t ic ~size with
    | Some (item, bytes) ->
        f item bytes;
        let good = pos_in ic in
        go (gaps_before at) ~good ~at:good
    | None ->
        seek_in ic (at + 1);
        if find_marker ic 0 then go gaps ~good ~at:(pos_in ic - marker_length) else gaps_before size
  in
  go [] ~good:start ~at:start

(* Whether the file ends before the record does that begins there. *)
let is_torn ic (from, until) =
  let left = until - from in
  seek_in ic from;
  let found = Option.get (read ic (Int.min left prefix_length)) in
  String.starts_with ~prefix:(String.sub found 0 (Int.min left marker_length)) marker
  && (left < prefix_length || number found 0 > left - prefix_length)

let remove_torn t ic = function
  | ((from, until) as last) :: gaps when until = in_channel_length ic && is_torn ic last ->
      Unix.ftruncate t.descriptor from;
      gaps
  | gaps -> gaps

let report t gaps =
  if gaps <> [] then begin
    let bytes = List.fold_left (fun n (from, until) -> n + until - from) 0 gaps in
    let first, _ = List.hd (List.rev gaps) in
    Printf.eprintf
      "Drover_mpi: the journal %s is damaged: %d bytes, the first at %d. They stay there, and the \
       items whose results they were are computed again.\n\
       %!"
      t.file bytes first
  end

(* Why a file with this header, and without a record of ours, is not continued. *)
let refusal t header =
  let program header = String.sub header magic_length digest_length in
  let anew why = why ^ ": remove it to begin anew" in
  if not (String.starts_with ~prefix:family header) then "is no journal: it stays as it is"
  else if not (String.starts_with ~prefix:magic header) then anew "is of another version of Drover"
  else if program header <> program t.header then anew "is of another program"
  else anew "is of another input"

(* One record tells that the file is of this program and input, if the header is damaged. *)
let read_old t ic header f =
  let is_known = ref (header = t.header) in
  let start = if !is_known then header_length else 0 in
  let known item bytes =
    is_known := true;
    f item bytes
  in
  let gaps = read_records t ic ~start known in
  if not !is_known then fails t.file (refusal t header);
  report t (remove_torn t ic gaps)

let rec write_all t text from =
  let left = String.length text - from in
  if left > 0 then write_all t text (from + Unix.write_substring t.descriptor text from left)

let begin_ t torn =
  if not (String.starts_with ~prefix:torn t.header) then
    fails t.file "is no journal of this program and input: it stays as it is";
  if torn <> "" then Unix.ftruncate t.descriptor 0;
  write_all t t.header 0

(* A file that is shorter than a header was torn at its beginning. *)
let read_or_begin t f =
  let ic = Unix.in_channel_of_descr t.descriptor in
  let length = Int.min (in_channel_length ic) header_length in
  let start = Option.get (read ic length) in
  if length < header_length then begin_ t start else read_old t ic start f

let or_else undo f =
  try f ()
  with exn ->
    undo ();
    raise exn

(* Opens [file], or makes it, and calls [f] with each item and result that it has. *)
let open_ file ~program ~input f =
  naming file @@ fun () ->
  let descriptor = Unix.openfile file [ O_RDWR; O_CREAT; O_APPEND; O_CLOEXEC ] 0o644 in
  or_else (fun () -> Unix.close descriptor) @@ fun () ->
  let owner = match Owner.take file with Ok owner -> owner | Error why -> fails file why in
  or_else (fun () -> Owner.release owner) @@ fun () ->
  let t = { file; descriptor; owner; header = header ~program ~input; synchronised = 0. } in
  read_or_begin t f;
  t

let period = 1. (* seconds *)

let add t item bytes =
  naming t.file @@ fun () ->
  let text = Bytes.to_string bytes in
  write_all t (prefix t item text ^ text) 0;
  let now = Unix.gettimeofday () in
  if now -. t.synchronised > period then begin
    t.synchronised <- now;
    Unix.fsync t.descriptor
  end

let close t =
  (try Unix.fsync t.descriptor with Unix.Unix_error _ -> ());
  Unix.close t.descriptor;
  Owner.release t.owner
