(* Scratch: values that are used again, each by one task at a time.

   A domain keeps the value that was used last there, and the others are in a list that all
   share. Who takes a value takes it out, by an exchange or a compare-and-set; so a task that
   suspends has it still, and the next one on that domain takes or makes another. *)

type 'a t = { make : unit -> 'a; here : 'a option Atomic.t array; spare : 'a list Atomic.t }

(* A cell for each domain that can run at a time, each on lines of its own; a power of two. *)
let create make =
  let rec above size = if size < Processors.available () then above (2 * size) else size in
  let cell _ = Atomic.make_contended None in
  { make; here = Array.init (above 1) cell; spare = Atomic.make [] }

(* By the domain's index; those beyond share. A kept value is a hint only. *)
let[@inline] here s = s.here.(Domain.self_index () land (Array.length s.here - 1))

(* A value whose use raised may be in the middle of something, and is left to the collector. *)
let use s f =
  let rec take_spare s =
    match Atomic.get s.spare with
    | [] -> s.make ()
    | x :: rest as before -> if Atomic.compare_and_set s.spare before rest then x else take_spare s
  in
  let x = match Atomic.exchange (here s) None with Some x -> x | None -> take_spare s in
  let result = f x in
  (* [f] may have come to another domain. *)
  Option.iter (Shared.push s.spare) (Atomic.exchange (here s) (Some x));
  result
