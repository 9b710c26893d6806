(* After [open Drover]: what it has of the standard library tells what it does, too. *)

open Drover

(* One side writes an element, and the other reads the array. *)
let read use is_racy =
  let a = Array.make 20 0 in
  let b = if is_racy then a else Array.make 20 0 in
  ignore (both (fun () -> a.(3) <- 1) (fun () -> use b) : unit * unit)

let folded = read (fun b -> ignore (Array.fold_left ( + ) 0 b : int))
let appended = read (fun b -> ignore (Array.append b b : int array))
let mapped_inplace = read (fun b -> Array.mapi_inplace ( + ) b)
let sorted = read (fun b -> Array.fast_sort Int.compare b)

(* A reference that is read once for each element. *)
let searched is_racy =
  let seen = ref 0 and other = ref 0 in
  let look x =
    if is_racy then seen := x else ignore !other;
    false
  in
  ignore (List.exists look (List.init 20 Fun.id) : bool)

let lazily is_racy =
  let r = ref 0 in
  let l =
    Lazy.map Fun.id
      (Lazy.from_fun (fun () ->
           r := 1;
           7))
  in
  let read () =
    let known = if is_racy then 0 else Lazy.force l in
    known + !r
  in
  ignore (both (fun () -> Lazy.force l) read : int * int)

let binary is_racy =
  let s = Semaphore.Binary.make false and value = ref 0 in
  let write () =
    value := 1;
    Semaphore.Binary.release s
  and read () =
    if not is_racy then Semaphore.Binary.acquire s;
    !value
  in
  ignore (both write read : unit * int)

let all =
  [
    ("Semaphore.Binary", binary, "value := ..");
    ("fold_left", folded, "");
    ("append", appended, "");
    ("mapi_inplace", mapped_inplace, "");
    ("fast_sort", sorted, "");
    ("List.exists", searched, "seen := ..");
    ("Lazy.map", lazily, "");
  ]
