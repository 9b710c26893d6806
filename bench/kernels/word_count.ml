open Drover_harness

(* Words and their numbers, by number and then by word. *)
type t = (string * int) list

let is_letter = function 'a' .. 'z' | '0' .. '9' | '_' -> true | _ -> false

let count_into counts text lo hi =
  let add from upto =
    let word = String.sub text from (upto - from) in
    Hashtbl.replace counts word (1 + Option.value (Hashtbl.find_opt counts word) ~default:0)
  in
  let rec skip i = if i <= hi then if is_letter text.[i] then read i (i + 1) else skip (i + 1)
  and read from i =
    if i < String.length text && is_letter text.[i] then read from (i + 1)
    else begin
      add from i;
      skip i
    end
  in
  (* A word that starts earlier belongs to whoever reads that place. *)
  let rec first i = if i <= hi && is_letter text.[i] then first (i + 1) else i in
  skip (if lo > 0 && is_letter text.[lo - 1] then first lo else lo)

let count text lo hi =
  let counts = Hashtbl.create 1024 in
  count_into counts text lo hi;
  counts

let merge a b =
  Hashtbl.iter
    (fun word n -> Hashtbl.replace a word (n + Option.value (Hashtbl.find_opt a word) ~default:0))
    b;
  a

let listed counts =
  let order (w, n) (v, m) = if n <> m then Int.compare m n else String.compare w v in
  List.sort order (List.of_seq (Hashtbl.to_seq counts))

let last text = String.length text - 1
let serial text = listed (count text 0 (last text))

let drover text =
  listed
    (Drover.parallel_reduce_range ~grain:131_072 ~start:0 ~finish:(last text)
       ~init:(Hashtbl.create 1024) ~combine:merge (count text))

let domainslib pool text =
  listed
    (List.fold_left merge (Hashtbl.create 1024) (Chunks.map pool (String.length text) (count text)))

let show = function
  | (word, n) :: _ as all -> Printf.sprintf "%d words, most often %S (%d)" (List.length all) word n
  | [] -> "no words"

let prepare (p : Kernel.params) =
  let tree =
    match p.dir with
    | Some dir -> Text_tree.find dir
    | None ->
        let at_most = Kernel.by_size p.size ~tiny:100_000 ~quick:3_000_000 ~full:max_int in
        Text_tree.ocaml_sources ~at_most ()
  in
  let problem (tree : Text_tree.t) =
    let read file = In_channel.with_open_bin file In_channel.input_all in
    let text =
      String.lowercase_ascii (String.concat "\n" (List.map read (Array.to_list tree.files)))
    in
    Kernel.Problem
      {
        about = Printf.sprintf "%s: %.1f MB" tree.root (Float.of_int (String.length text) /. 1e6);
        input = (fun () -> text);
        serial;
        versions = [ Kernel.drover drover; Kernel.domainslib domainslib ];
        check = Kernel.equal show;
        note = show;
        picture = None;
      }
  in
  Result.map problem tree

let kernel : Kernel.t =
  { name = "word-count"; doc = "how often each word of a text occurs; --dir names it"; prepare }
