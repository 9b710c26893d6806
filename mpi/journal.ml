(* Journal: the results of items, in a file that outlives the program.

   The file is a header and records, each appended in one write when its item is done:

     header = magic, digest of the program, digest of the input, digest of these
     record = length, item, digest of both and of the bytes; bytes

   A record that is torn, or not what it was, ends the file: it is dropped with what follows. The
   file is synchronised with the disk once a second at most, and at the end; so what ends the program
   costs nothing, and what ends the machine a second. A lock keeps others out, for as long as the
   process lives. *)

type t = { file : string; descriptor : Unix.file_descr; mutable synchronised : float }

let magic = "drover-mpi journal 1\n"
let digest_length = 16
let header_length = String.length magic + (3 * digest_length)
let prefix_length = 16 + digest_length

let refuse t why =
  Unix.close t.descriptor;
  failwith (Printf.sprintf "Drover_mpi: the journal %s %s" t.file why)

let header ~program ~input =
  let start = magic ^ Digest.string program ^ input in
  start ^ Digest.string start

let record item bytes =
  let numbers = Bytes.create 16 in
  Bytes.set_int64_le numbers 0 (Int64.of_int (Bytes.length bytes));
  Bytes.set_int64_le numbers 8 (Int64.of_int item);
  let digest = Digest.bytes (Bytes.cat numbers bytes) in
  Bytes.concat Bytes.empty [ numbers; Bytes.of_string digest; bytes ]

(* To read *)

let rec fill descriptor into from =
  let left = Bytes.length into - from in
  left = 0
  ||
  match Unix.read descriptor into from left with
  | 0 -> false
  | n -> fill descriptor into (from + n)

let read t length =
  let into = Bytes.create length in
  if fill t.descriptor into 0 then Some into else None

(* The next record, if it is whole. *)
let read_record t ~size =
  Option.bind (read t prefix_length) @@ fun prefix ->
  let length = Int64.to_int (Bytes.get_int64_le prefix 0) in
  let item = Int64.to_int (Bytes.get_int64_le prefix 8) in
  let at = Unix.lseek t.descriptor 0 SEEK_CUR in
  if length < 0 || length > size - at then None
  else
    Option.bind (read t length) @@ fun bytes ->
    let whole = Bytes.sub (record item bytes) 0 prefix_length = prefix in
    if whole then Some (item, bytes) else None

let rec read_records t ~size f =
  let start = Unix.lseek t.descriptor 0 SEEK_CUR in
  match read_record t ~size with
  | Some (item, bytes) ->
      f item bytes;
      read_records t ~size f
  | None ->
      Unix.ftruncate t.descriptor start;
      ignore (Unix.lseek t.descriptor start SEEK_SET : int)

let rec write_all descriptor bytes from =
  let left = Bytes.length bytes - from in
  if left > 0 then write_all descriptor bytes (from + Unix.write descriptor bytes from left)

let check t found expected =
  let part n = String.sub found (String.length magic + (n * digest_length)) digest_length in
  let part' n = String.sub expected (String.length magic + (n * digest_length)) digest_length in
  if not (String.starts_with ~prefix:magic found) then refuse t "is no journal: it stays as it is";
  if part 0 <> part' 0 then refuse t "is of another program: remove it to begin anew";
  if part 1 <> part' 1 then refuse t "is of another input: remove it to begin anew";
  if found <> expected then refuse t "is damaged: remove it to begin anew"

(* A file that is shorter than a header was torn at its beginning. *)
let read_or_begin t ~header f =
  let size = (Unix.fstat t.descriptor).st_size in
  if size < header_length then begin
    let start = Option.fold (read t size) ~none:"" ~some:Bytes.to_string in
    let is_torn = start = String.sub header 0 size in
    if not is_torn then refuse t "is no journal of this program and input: it stays as it is";
    Unix.ftruncate t.descriptor 0;
    ignore (Unix.lseek t.descriptor 0 SEEK_SET : int);
    write_all t.descriptor (Bytes.of_string header) 0
  end
  else begin
    check t (Option.fold (read t header_length) ~none:"" ~some:Bytes.to_string) header;
    read_records t ~size f
  end

(* Opens [file], or makes it, and calls [f] with each item and result that it has. *)
let open_ file ~program ~input f =
  let descriptor = Unix.openfile file [ O_RDWR; O_CREAT; O_CLOEXEC ] 0o644 in
  let t = { file; descriptor; synchronised = 0. } in
  (match Unix.lockf descriptor F_TLOCK 0 with
  | () -> ()
  | exception Unix.Unix_error ((EAGAIN | EACCES), _, _) -> refuse t "is in use by another job");
  match read_or_begin t ~header:(header ~program ~input) f with
  | () -> t
  | exception (Unix.Unix_error _ as exn) ->
      Unix.close descriptor;
      raise exn

let period = 1. (* seconds *)

let add t item bytes =
  write_all t.descriptor (record item bytes) 0;
  let now = Unix.gettimeofday () in
  if now -. t.synchronised > period then begin
    t.synchronised <- now;
    Unix.fsync t.descriptor
  end

let close t =
  (try Unix.fsync t.descriptor with Unix.Unix_error _ -> ());
  Unix.close t.descriptor
