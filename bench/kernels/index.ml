open Drover_harness
module Task = Domainslib.Task

(* The files that hold a word, latest first: [count] times in [file], and in [earlier] ones. *)
type postings = { mutable file : int; mutable count : int; mutable earlier : (int * int) list }

module Words = Hashtbl.Make (String)

type t = postings Words.t

let all_files p = (p.file, p.count) :: p.earlier

let lookup (t : t) word =
  Option.fold (Words.find_opt t word) ~none:[] ~some:(fun p -> List.rev (all_files p))

let words = Words.length

let is_letter = function
  | 'a' .. 'z' | '0' .. '9' | '_' | '\'' | '\128' .. '\255' -> true
  | _ -> false

let iter_words f text =
  let n = String.length text in
  let rec between i = if i < n then if is_letter text.[i] then within i (i + 1) else between (i + 1)
  and within start i =
    if i < n && is_letter text.[i] then within start (i + 1)
    else begin
      f (String.sub text start (i - start));
      between i
    end
  in
  between 0

let read path = String.lowercase_ascii (In_channel.with_open_bin path In_channel.input_all)

let add index file word =
  match Words.find_opt index word with
  | None -> Words.add index word { file; count = 1; earlier = [] }
  | Some p when p.file = file -> p.count <- p.count + 1
  | Some p ->
      p.earlier <- all_files p;
      p.file <- file;
      p.count <- 1

(* The index of the files from [lo] to [hi]. *)
let of_range (tree : Text_tree.t) lo hi =
  let index = Words.create 4096 in
  for file = lo to hi do
    iter_words (add index file) (read tree.files.(file))
  done;
  index

(* Each adds the postings of a word to an index, of earlier or of later files. *)

let append index word later =
  match Words.find_opt index word with
  | None -> Words.add index word later
  | Some p ->
      p.earlier <- later.earlier @ all_files p;
      p.file <- later.file;
      p.count <- later.count

let prepend index word before =
  match Words.find_opt index word with
  | None -> Words.add index word before
  | Some p -> p.earlier <- p.earlier @ all_files before

(* The index of both; [later] is of files that come after those of [earlier]. The larger one takes
   in the smaller. *)
let merge earlier later =
  if words later > words earlier then begin
    Words.iter (prepend later) earlier;
    later
  end
  else begin
    Words.iter (append earlier) later;
    earlier
  end

let last (tree : Text_tree.t) = Array.length tree.files - 1
let serial tree = of_range tree 0 (last tree)

(* To combine two indices takes time, so a piece is not to be smaller than that is worth. *)
let drover tree =
  let init = Words.create 1 and grain = max 1 ((last tree + 1) / 16) in
  Drover.parallel_reduce_range ~grain ~start:0 ~finish:(last tree) ~init ~combine:merge
    (of_range tree)

(* Domainslib's loops know no ranges: halves, down to a sixteenth of the files. *)
let domainslib pool tree =
  let grain = max 1 ((last tree + 1) / 16) in
  let rec build lo hi =
    if hi - lo < grain then of_range tree lo hi
    else
      let mid = (lo + hi) / 2 in
      let later = Task.async pool (fun () -> build (mid + 1) hi) in
      let earlier = build lo mid in
      merge earlier (Task.await pool later)
  in
  build 0 (last tree)

exception Differs of string

let check ~expected t =
  let compare_word word postings =
    if Words.find_opt t word <> Some postings then raise (Differs word)
  in
  match Words.iter compare_word expected with
  | () when words t = words expected -> Ok ()
  | () -> Error (Printf.sprintf "expected %d words, got %d" (words expected) (words t))
  | exception Differs word -> Error (Printf.sprintf "the files of %S differ" word)

let problem (tree : Text_tree.t) =
  let megabytes = float tree.bytes /. 1e6 in
  Kernel.Problem
    {
      about = Printf.sprintf "%s: %d files, %.1f MB" tree.root (Array.length tree.files) megabytes;
      input = (fun () -> tree);
      serial;
      versions = [ Kernel.drover drover; Kernel.domainslib domainslib ];
      check;
      note = (fun t -> Printf.sprintf "%d different words" (words t));
      picture = None;
    }

let prepare (p : Kernel.params) =
  let tree =
    match p.dir with
    | Some dir -> Text_tree.find dir
    | None ->
        let at_most = Kernel.by_size p.size ~tiny:100_000 ~quick:3_000_000 ~full:max_int in
        Text_tree.ocaml_sources ~at_most ()
  in
  Result.map problem tree

let kernel : Kernel.t =
  { name = "index"; doc = "word index of a directory tree; --dir names it"; prepare }
