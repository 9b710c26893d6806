(* How often each word of a text occurs. *)

let add counts word n =
  match Hashtbl.find_opt counts word with
  | Some count -> count := !count + n
  | None -> Hashtbl.add counts word (ref n)

let is_letter = function 'a' .. 'z' -> true | _ -> false

(* Adds the words that start from [lo] to [hi]. *)
let count text counts lo hi =
  let rec word_end i =
    if i < String.length text && is_letter text.[i] then word_end (i + 1)
    else i
  in
  let rec go i =
    if i <= hi then
      if is_letter text.[i] then begin
        let stop = word_end i in
        add counts (String.sub text i (stop - i)) 1;
        go stop
      end
      else go (i + 1)
  in
  (* A word that starts before [lo] is not ours. *)
  go (if lo > 0 && is_letter text.[lo - 1] then word_end lo else lo);
  counts

let make () = Hashtbl.create 1024

(* The larger table takes in the smaller. *)
let merge a b =
  let small, large =
    if Hashtbl.length a < Hashtbl.length b then (a, b) else (b, a)
  in
  Hashtbl.iter (fun word n -> add large word !n) small;
  large

let listed sort counts =
  let order (v, m) (w, n) =
    if m <> n then Int.compare n m else String.compare v w
  in
  sort order
    (List.of_seq (Seq.map (fun (w, n) -> (w, !n)) (Hashtbl.to_seq counts)))

let last text = String.length text - 1
let serial text = listed List.sort (count text (make ()) 0 (last text))

let drover text =
  listed Drover.List.sort
    (Drover.parallel_fold_range ~start:0 ~finish:(last text) ~make ~merge
       (count text))

let domainslib pool text =
  let part lo hi = count text (make ()) lo hi in
  let sort order words =
    let words = Array.of_list words in
    By_hand.sort pool order words;
    Array.to_list words
  in
  listed sort
    (List.fold_left merge (make ())
       (Drover_kernels.Chunks.map pool (String.length text) part))

(* As in a language, few words make up most of the text, and most words are rare. *)
let input size =
  let rng = Random.State.make [| size |] in
  let text = Buffer.create (size + 20) in
  while Buffer.length text < size do
    let rank =
      ref (int_of_float (exp (Random.State.float rng (log 50_000.))))
    in
    while !rank > 0 do
      Buffer.add_char text (Char.chr (Char.code 'a' + (!rank mod 26)));
      rank := !rank / 5
    done;
    Buffer.add_char text (if Random.State.int rng 10 = 0 then '\n' else ' ')
  done;
  Buffer.contents text

let show = function
  | (word, n) :: _ as all ->
      Printf.sprintf "%d words, most often %S (%d)" (List.length all) word n
  | [] -> "no words"

let kernel =
  Program.kernel ~name:"word-count"
    ~doc:"how often each word of a text occurs"
    ~sizes:(50_000, 5_000_000, 20_000_000)
    ~about:(fun n -> Printf.sprintf "%.1f MB of text" (float n /. 1e6))
    ~input ~show ~serial ~drover ~domainslib ()
