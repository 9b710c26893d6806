(* File_lines: a fold over the lines of a file that need not fit into memory.

   The file is cut into pieces, the iterations of a loop. A piece has the lines that begin in it: it skips the rest of a
   line that begins before, but looks no further than its own end; and it reads on behind its end for the rest of its
   last line.

   The state of a run (see [Fold]) has a window on the file, which moves on, over one piece after another. Only a window
   that is full of one line becomes larger.

   All readers are open on the same file before the loop begins, so it may be renamed or replaced meanwhile; and closed
   when all of the loop has ended. A worker seeks and reads with a reader of its own, as long as the system gives that
   many; in any case with its lock. *)

type reader = { file : Unix.file_descr; lock : Stdlib.Mutex.t }

type source = {
  path : string;
  size : int; (* 0 if it cannot seek *)
  piece : int; (* the size of one *)
  pieces : int;
  readers : reader array;
}

let error path e = raise (Sys_error (path ^ ": " ^ Unix.error_message e))

let open_reader path =
  match Unix.openfile path [ O_RDONLY; O_CLOEXEC ] 0 with
  | file -> { file; lock = Stdlib.Mutex.create () }
  | exception Unix.Unix_error (e, _, _) -> error path e

let close source = Array.iter (fun r -> Unix.close r.file) source.readers

(* More readers of what [r] reads, or none. *)
let rec open_more path (stats : Unix.stats) n readers =
  if n <= 0 then readers
  else
    match Unix.openfile path [ O_RDONLY; O_CLOEXEC ] 0 with
    | exception Unix.Unix_error _ -> readers
    | file ->
        let is_same =
          let here = Unix.fstat file in
          here.st_dev = stats.st_dev && here.st_ino = stats.st_ino
        in
        if is_same then
          open_more path stats (n - 1) ({ file; lock = Stdlib.Mutex.create () } :: readers)
        else begin
          Unix.close file;
          readers
        end

let most_of_piece = 262_144
let least_of_piece = 65_536

(* Several for each worker, as lines differ. *)
let open_source path =
  let first = open_reader path and workers = Pool.size (Pool.ambient ()) in
  let stats = Unix.fstat first.file in
  let size = if stats.st_kind = S_REG then stats.st_size else 0 in
  let piece = Int.max least_of_piece (Int.min most_of_piece (size / (16 * workers))) in
  let pieces = (size + piece - 1) / piece in
  let more = open_more path stats (Int.min workers pieces - 1) [] in
  { path; size; piece; pieces; readers = Array.of_list (first :: more) }

(* What is read into [bytes], from [from] on: that is behind [position], or what comes next. *)
let rec read source ~position bytes from =
  let r = source.readers.((Worker.here ()).id mod Array.length source.readers) in
  let seek_and_read () =
    if source.size > 0 then ignore (Unix.lseek r.file position SEEK_SET : int);
    Unix.read r.file bytes from (Bytes.length bytes - from)
  in
  match Section.run (Stdlib.Mutex.protect r.lock) seek_and_read with
  | n -> n
  | exception Unix.Unix_error (EINTR, _, _) -> read source ~position bytes from
  | exception Unix.Unix_error (e, _, _) -> error source.path e

(* Windows *)

type window = {
  source : source;
  ending : char;
  mutable bytes : Bytes.t; (* the first [length] of them are of the file, from [position] on *)
  mutable position : int;
  mutable length : int;
}

let window source ending =
  { source; ending; bytes = Bytes.create least_of_piece; position = 0; length = 0 }

(* Where a line ends, from [i] on; [w.length] if none does. *)
let next_end w i = Text_pieces.next w.ending (Bytes.unsafe_to_string w.bytes) i w.length

(* Has [w] begin with its byte [first], and reads what comes behind it. [false] at the end of the file. *)
let move w first =
  Scope.check ();
  let kept = w.length - first in
  if kept = Bytes.length w.bytes then w.bytes <- Bytes.extend w.bytes 0 kept
  else Bytes.blit w.bytes first w.bytes 0 kept;
  w.position <- w.position + first;
  w.length <- kept;
  let n = read w.source ~position:(w.position + kept) w.bytes kept in
  w.length <- kept + n;
  n > 0

(* The line that begins with byte [start] does not end before byte [from]; and all after it that begin before
   [upto], a position in the file. *)
let rec fold w step acc ~start ~from ~upto =
  let stop = next_end w from in
  if stop < w.length then
    let acc = step acc (Bytes.sub_string w.bytes start (stop - start)) and start = stop + 1 in
    if w.position + start < upto then fold w step acc ~start ~from:start ~upto else acc
  else
    let seen = w.length - start in
    if move w start then fold w step acc ~start:0 ~from:seen ~upto
    else if seen > 0 then step acc (Bytes.sub_string w.bytes 0 seen)
    else acc

(* Where the first line begins that does so behind byte [i], and before [upto]. *)
let rec first_start w i ~upto =
  let stop = next_end w i in
  let start = w.position + stop + 1 in
  if start >= upto then None
  else if stop < w.length then Some (stop + 1)
  else if move w w.length then first_start w 0 ~upto
  else None

(* The window is there already, if the piece before was of the same run. *)
let seek w position =
  let i = position - w.position in
  if i >= 0 && i <= w.length then i
  else begin
    w.position <- position;
    w.length <- 0;
    0
  end

let fold_piece w step acc ~lo ~upto =
  if lo = 0 then fold w step acc ~start:0 ~from:0 ~upto
  else
    match first_start w (seek w (lo - 1)) ~upto with
    | Some start -> fold w step acc ~start ~from:start ~upto
    | None -> acc

type 'acc state = { acc : 'acc; window : window }

let fold_source source ending ~make ~merge step =
  let make () = { acc = make (); window = window source ending } in
  let by_piece { acc; window } ~lo ~upto = { acc = fold_piece window step acc ~lo ~upto; window } in
  (if source.size = 0 then by_piece (make ()) ~lo:0 ~upto:max_int
   else
     let merge a b = { a with acc = merge a.acc b.acc } in
     Fold.fold ~start:0 ~finish:(source.pieces - 1) ~make ~merge (fun state k ->
         by_piece state ~lo:(k * source.piece) ~upto:((k + 1) * source.piece)))
    .acc

let fold ?(ending = '\n') ~make ~merge step path =
  Limits.bracket
    ~acquire:(fun () -> open_source path)
    ~release:close
    (fun source -> fold_source source ending ~make ~merge step)
