(* Scratch: values that are used again, each by one task at a time.

   A domain keeps the value that was used last there, and the others are in a list that all
   share. Who takes a value takes it out, by an exchange or a compare-and-set; so a task that
   suspends has it still, and the next one on that domain takes or makes another. *)

type 'a t = { make : unit -> 'a; here : 'a option Atomic.t array; spare : 'a list Atomic.t }

(* By the domain's index; those beyond share. A kept value is a hint only. *)
let places = 128

let create make =
  { make; here = Array.init places (fun _ -> Atomic.make_contended None); spare = Atomic.make [] }

let[@inline] here s = s.here.(Domain.self_index () land (places - 1))

let rec take_spare s =
  match Atomic.get s.spare with
  | [] -> s.make ()
  | x :: rest as before -> if Atomic.compare_and_set s.spare before rest then x else take_spare s

let[@inline] take s = match Atomic.exchange (here s) None with Some x -> x | None -> take_spare s

let give_back s x =
  match Atomic.exchange (here s) (Some x) with
  | None -> ()
  | Some other -> Shared.push s.spare other

(* A value whose use raised may be in the middle of something, and is left to the collector. *)
let use s f =
  let x = take s in
  let result = f x in
  give_back s x;
  result
