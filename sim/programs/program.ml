type run = { go : unit -> unit; is_right : unit -> bool }
type sized = { work : int; operations : int; prepare : unit -> run }
type t = { name : string; doc : string; of_size : int -> sized }
type scaling = Strong of int | Weak of int

let on ~processors scaling p =
  match scaling with Strong ms -> p.of_size ms | Weak ms -> p.of_size (ms * processors)

let busy = Drover_machine.Work.busy
let fitting size ~each = size * 1_000_000 / each

let duration ns =
  if ns mod 1_000 = 0 then Printf.sprintf "%dus" (ns / 1_000) else Printf.sprintf "%dns" ns

let sum n f =
  let total = ref 0 in
  for i = 0 to n - 1 do
    total := !total + f i
  done;
  !total

(* The finaliser of splitmix, with the bits that an [int] has. *)
let hash i =
  let mix x shift factor = x lxor (x lsr shift) * factor in
  let x = mix (mix (i + 1) 30 0x3f58476d1ce4e5b9) 27 0x14d049bb133111eb in
  x lxor (x lsr 31) land max_int

let result f () =
  let is_right = ref false in
  { go = (fun () -> is_right := f ()); is_right = (fun () -> !is_right) }

(* A digit for each, the number of visits *)
let marking n f () =
  let visits = Bytes.make n '0' in
  let visit i = Bytes.set visits i (Char.chr (1 + Char.code (Bytes.get visits i))) in
  { go = (fun () -> f visit); is_right = (fun () -> Bytes.for_all (( = ) '1') visits) }

let each ~name ~doc ~work run =
  let of_size size =
    let n = fitting size ~each:work in
    { work = n * work; operations = n; prepare = marking n (run n) }
  in
  { name; doc; of_size }
