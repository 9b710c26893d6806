(* Scratch: values that are used again, each by one task at a time.

   A domain keeps the value that was used last there, and the others are in a list that all
   share. Who takes a value takes it out, by an exchange or a compare-and-set; so a task that
   suspends has it still, and the next one on that domain takes or makes another. *)

type 'a t = {
  make : unit -> 'a;
  release : ('a -> unit) option;
  here : 'a option Atomic.t array;
  spare : 'a list Atomic.t;
}

(* A cell for each domain that can run at a time, each on lines of its own; a power of two. *)
let create ?release make =
  let rec above size = if size < Processors.available () then above (2 * size) else size in
  let cell _ = Atomic.make_contended None in
  { make; release; here = Array.init (above 1) cell; spare = Atomic.make [] }

(* By the domain's index; those beyond share. A kept value is a hint only. *)
let[@inline] here s = s.here.(Domain.self_index () land (Array.length s.here - 1))

let rec take_spare s =
  match Atomic.get s.spare with
  | [] -> None
  | x :: rest as before ->
      if Atomic.compare_and_set s.spare before rest then Some x else take_spare s

let take s =
  match Atomic.exchange (here s) None with
  | Some x -> x
  | None -> ( match take_spare s with Some x -> x | None -> s.make ())

(* Its user may have come to another domain. *)
let put s x = Option.iter (Shared.push s.spare) (Atomic.exchange (here s) (Some x))

(* A value whose use raised may be in the middle of something, and is left to the collector, or released. *)
let use s f =
  match s.release with
  | None ->
      let x = take s in
      let result = f x in
      put s x;
      result
  | Some release ->
      let is_whole = ref false in
      let use x =
        let result = f x in
        is_whole := true;
        result
      and give_back x = if !is_whole then put s x else release x in
      Limits.bracket ~acquire:(fun () -> take s) ~release:give_back use

let clear s =
  let release = Option.value s.release ~default:ignore in
  let rec clear_spare () =
    match take_spare s with
    | Some x ->
        release x;
        clear_spare ()
    | None -> ()
  in
  Array.iter (fun cell -> Option.iter release (Atomic.exchange cell None)) s.here;
  clear_spare ()
