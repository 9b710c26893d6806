(* Minor heap.

   A minor collection stops every domain, and waits for those that the operating system does not run
   at the moment. So with several domains the time between two collections decides what they cost,
   and the default of OCaml, made for one domain, lets a program that allocates fast collect every
   millisecond: beside one busy process on two cores, [fib] without a cutoff was ten times slower on
   two domains than on one. A worker's minor heap therefore grows while collections come fast; and
   beside other programs it grows further, as a collection may wait for a slice of the system's then.
   Kernels: fib and binarytrees, with --busy 1. *)

let set words = Gc.set { (Gc.get ()) with minor_heap_size = words }
let size () = (Gc.get ()).minor_heap_size
let at_least words = if size () < words then set words

(* OCaml reserves address space for as many minor heaps of the largest size as there may be domains,
   and ends the program when it gets none. Where address space is limited, minor heaps stay as they
   are. *)
let address_space_is_limited () =
  let is_limit line =
    match List.filter (( <> ) "") (String.split_on_char ' ' line) with
    | "Max" :: "address" :: "space" :: soft :: _ -> soft <> "unlimited"
    | _ -> false
  in
  List.exists is_limit (String.split_on_char '\n' (System.read "/proc/self/limits"))

(* Seconds between two collections that are enough: where one is late, an eighth of the time is lost at most. *)
let enough ~late = 0.008 +. (8. *. late)

(* All heaps take half a gigabyte, and one no more than 64 MB: beyond that, caches suffer more than collections cost. *)
let most ~domains =
  let megawords = 1024 * 1024 in
  Int.max megawords (Int.min (8 * megawords) (64 * megawords / domains))

(* In seconds: a meeting of all domains, and a copy of each word that survives. *)
let cost_of_collection ~survival = 25e-6 +. (survival *. float (size ()) *. 4e-9)

(* Beside other programs: see [Crowd.late_collection]. *)
let is_dear late = late > 5e-4

(* A heap grows when the collections that came fast have cost as much as its pages will, since the first use of memory
   costs a page fault for each 512 words, 5e-9 seconds a word: a short program does not pay for what it will not use.
   Where a collection is dear, all pages are paid for twice at most, not at each doubling. Kernels: binarytrees,
   spectralnorm, and Sandmark's evolutionary algorithm. *)
let adapt ~most ~spent ~late ~survival =
  let words = size () in
  let larger = Int.min ((if is_dear late then 4 else 2) * words) most in
  larger > words
  (* Where more survives than dies, a larger minor heap saves little copying, and what it copies has
     left the caches. Kernel: derivative. *)
  && (survival <= 0.5 || is_dear late)
  && spent > float larger *. 5e-9
  && (not (address_space_is_limited ()))
  && begin
    set larger;
    true
  end
