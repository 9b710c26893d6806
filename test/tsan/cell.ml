(* Plain mutable data, which only one task may touch at a time: each access is one that ThreadSanitizer
   looks at. *)

type t = { mutable number : int; mutable text : string; mutable list : int list }

let create () = { number = 0; text = ""; list = [] }

let fill c i =
  c.number <- i;
  c.text <- string_of_int i;
  c.list <- [ i; i ]

let check c i =
  if c.number <> i || c.text <> string_of_int i || c.list <> [ i; i ] then
    failwith (Printf.sprintf "%d where %d is expected" c.number i)

let filled i =
  let c = create () in
  fill c i;
  c

(* The caller owns [c] again. *)
let take c i =
  check c i;
  fill c 0

let cells n = Array.init n (fun _ -> create ())

(* So long that others find something to steal. *)
let spin n =
  let sum = ref 0 in
  for i = 1 to n do
    sum := !sum + i
  done;
  ignore (Sys.opaque_identity !sum : int)
