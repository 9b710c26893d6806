(* A pipeline: JSON texts are parsed, changed and printed, and come out in the order in which they
   went in. *)

type t =
  | Null
  | Bool of bool
  | Number of float
  | String of string
  | List of t list
  | Object of (string * t) list

exception Unexpected of int

let parse text =
  let pos = ref 0 in
  let peek () = if !pos < String.length text then text.[!pos] else '\000' in
  let rec skip () =
    match peek () with
    | ' ' | '\n' | '\t' ->
        incr pos;
        skip ()
    | _ -> ()
  in
  let expect c =
    if peek () = c then incr pos else raise (Unexpected !pos)
  in
  let is c =
    skip ();
    peek () = c
    &&
    (incr pos;
     true)
  in
  let word w v =
    String.iter expect w;
    v
  in
  let rec number_end i =
    match text.[i] with
    | '0' .. '9' | '-' | '+' | '.' | 'e' | 'E' -> number_end (i + 1)
    | _ -> i
  in
  let string () =
    expect '"';
    let finish = String.index_from text !pos '"' in
    let s = String.sub text !pos (finish - !pos) in
    pos := finish + 1;
    s
  in
  let rec value () =
    skip ();
    match peek () with
    | 'n' -> word "null" Null
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | '"' -> String (string ())
    | '[' ->
        incr pos;
        if is ']' then List [] else List (items value ']')
    | '{' ->
        incr pos;
        if is '}' then Object [] else Object (items field '}')
    | _ ->
        let start = !pos in
        pos := number_end start;
        Number (float_of_string (String.sub text start (!pos - start)))
  and field () =
    skip ();
    let name = string () in
    skip ();
    expect ':';
    (name, value ())
  and items : 'a. (unit -> 'a) -> char -> 'a list =
   fun item close ->
    let first = item () in
    if is ',' then first :: items item close
    else (
      expect close;
      [ first ])
  in
  value ()

let rec print out = function
  | Null -> Buffer.add_string out "null"
  | Bool b -> Buffer.add_string out (string_of_bool b)
  | Number x -> Buffer.add_string out (Printf.sprintf "%g" x)
  | String s -> quoted out s
  | List l -> between out '[' ']' (print out) l
  | Object l ->
      between out '{' '}'
        (fun (name, v) ->
          quoted out name;
          Buffer.add_char out ':';
          print out v)
        l

and quoted out s =
  Buffer.add_char out '"';
  Buffer.add_string out s;
  Buffer.add_char out '"'

and between :
    'a. Buffer.t -> char -> char -> ('a -> unit) -> 'a list -> unit =
 fun out opening close item l ->
  Buffer.add_char out opening;
  List.iteri
    (fun i x ->
      if i > 0 then Buffer.add_char out ',';
      item x)
    l;
  Buffer.add_char out close

(* Prices rise, and secrets go. *)
let rec change = function
  | Object l ->
      let raised (name, v) =
        match (name, v) with
        | "secret", _ -> None
        | "price", Number x -> Some (name, Number (x *. 1.25))
        | _ -> Some (name, change v)
      in
      Object (List.filter_map raised l)
  | List l -> List (List.map change l)
  | v -> v

let work text =
  let out = Buffer.create (String.length text) in
  print out (change (parse text));
  Buffer.contents out

let write all =
  let out = Buffer.create 1_000_000 in
  Seq.iter (Buffer.add_string out) all;
  Buffer.contents out

let serial texts = write (Seq.map work (Array.to_seq texts))
let drover texts = write (Drover.Seq.map work (Array.to_seq texts))

let domainslib pool texts =
  let results =
    By_hand.init pool (Array.length texts) (fun i -> work texts.(i))
  in
  write (Array.to_seq results)

let text i =
  let part j =
    Printf.sprintf
      {|{ "id": %d, "name": "part %d", "price": %d.5, "secret": [1, 2, 3], "used in": [%d, null, true] }|}
      j (i * j)
      (((i * 31) + j) mod 1000)
      (i + j)
  in
  "[" ^ String.concat ",\n" (List.init (20 + (i * 7919 mod 80)) part) ^ "]"

let kernel =
  Program.kernel ~name:"json"
    ~doc:"JSON texts parsed, changed and printed, in order"
    ~sizes:(20, 1_500, 8_000)
    ~about:(Printf.sprintf "%d texts")
    ~input:(fun n -> Array.init n text)
    ~show:(fun s -> Printf.sprintf "%d characters" (String.length s))
    ~serial ~drover ~domainslib ()
