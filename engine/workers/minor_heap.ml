(* Minor heap.

   A minor collection stops every domain, and waits for those that the operating system does not run
   at the moment. So with several domains the time between two collections decides what they cost,
   and the default of OCaml, made for one domain, lets a program that allocates fast collect every
   millisecond: beside one busy process on two cores, [fib] without a cutoff was ten times slower on
   two domains than on one. A worker's minor heap therefore grows while collections come fast.
   Kernels: fib and binarytrees, with --busy 1. *)

let set words = Gc.set { (Gc.get ()) with minor_heap_size = words }
let size () = (Gc.get ()).minor_heap_size
let at_least words = if size () < words then set words

(* Beyond this, caches suffer more than collections cost. *)
let largest_useful = 8 * 1024 * 1024

(* OCaml reserves address space for as many minor heaps of the largest size as there may be domains,
   and ends the program when it gets none. Where address space is limited, minor heaps stay as they
   are. *)
let address_space_is_limited limits =
  let is_limit line =
    match List.filter (( <> ) "") (String.split_on_char ' ' line) with
    | "Max" :: "address" :: "space" :: soft :: _ -> soft <> "unlimited"
    | _ -> false
  in
  List.exists is_limit (String.split_on_char '\n' limits)

let largest () =
  match System_file.read "/proc/self/limits" with
  | Some limits when address_space_is_limited limits -> 0
  | Some _ | None -> largest_useful

(* Seconds between two collections that are enough. *)
let enough = 0.008

(* The first use of memory costs page faults, up to five milliseconds for this many words. They are
   allowed for each [grace] seconds in which collections came fast, so that a short program does not
   pay for what it will not use. Where blocks survive, they pay soon, as most of these die before a
   later collection; where hardly any does, a collection is cheap unless a domain comes late to it.
   Kernels: binarytrees and spectralnorm. *)
let step = 1024 * 1024
let grace ~survival = if survival > 0.02 then 0.03 else 0.24

(* Where more survives than dies, a larger minor heap saves little copying, and what it copies has
   left the caches. Kernel: derivative. *)
let few_die ~survival = survival > 0.5

(* To be called after a collection, when they have come fast for [fast] seconds and this share of the
   minor heap has survived them. *)
let adapt ~fast ~survival =
  let words = size () in
  let allowed = step * int_of_float (fast /. grace ~survival) in
  if words < largest_useful && allowed >= 2 * words && not (few_die ~survival) then begin
    let allowed = Int.min allowed (largest ()) in
    if allowed > words then set allowed
  end
