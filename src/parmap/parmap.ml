(* Parmap's interface, on Drover's domains.

   A call cuts its sequence into parts, and has ranks, where Parmap has processes:

   1. Rank i begins with part i.
   2. It then takes parts that no rank has taken, while there are any.
   3. The call ends when all ranks have. The failure of one cancels the others, at their next element.

   Without a chunk size there are as many parts as ranks, so which rank has which elements is known beforehand, and
   floats are summed in Parmap's order. *)

module Local = Drover.Local
module Scope = Drover.Scope

type 'a sequence = L of 'a list | A of 'a array

let to_array = function L l -> Array.of_list l | A a -> a

(* Ranks *)

let default_ncores = Atomic.make None
let set_default_ncores n = Atomic.set default_ncores (Some n)
let pool () = match Drover.Pool.current () with Some pool -> pool | None -> Drover.Pool.default ()

let get_default_ncores () =
  match Atomic.get default_ncores with
  | Some n -> n
  | None -> Int.max 2 (Drover.Pool.size (pool ()))

let rank = Local.create (-1)
let get_rank () = Local.get rank

(* Within a rank it is that of its call, as others may run at the same time; elsewhere that of the latest. *)
let ncores_here = Local.create None
let latest_ncores = Atomic.make 0

let get_ncores () =
  match Local.get ncores_here with Some n -> n | None -> Atomic.get latest_ncores

let as_rank ~init ~finalize i f =
  Local.with_value rank i (fun () -> Scope.bracket ~acquire:(fun () -> init i) ~release:finalize f)

let on_ranks ~init ~finalize n f =
  Atomic.set latest_ncores n;
  Local.with_value ncores_here (Some n) (fun () ->
      Drover.all (List.init n (fun i () -> as_rank ~init ~finalize i (fun () -> f i))))

(* Parts *)

type parts = { number : int; size : int; length : int }

let first parts k = k * parts.size

(* The last part has what is left over. *)
let last parts k = (if k = parts.number - 1 then parts.length else first parts (k + 1)) - 1

(* As Parmap does: a chunk size with which there is no part for each rank and one more does not count. *)
let divide ~ncores ~chunksize length =
  let ncores = Int.min length ncores in
  match chunksize with
  | Some size when size > 0 && ncores < length / size ->
      (ncores, { number = length / size; size; length })
  | Some _ | None -> (ncores, { number = ncores; size = length / ncores; length })

let in_parallel ~init ~finalize ~ncores ~chunksize length ~start ~step =
  let ncores, parts = divide ~ncores ~chunksize length in
  let next = Atomic.make ncores in
  let rec take state k =
    if k >= parts.number then state
    else
      let state = step state parts k in
      take state (Atomic.fetch_and_add next 1)
  in
  on_ranks ~init ~finalize ncores (fun i -> take (start ()) i)

(* The caller does it all. *)
let serially length ~start ~step =
  Atomic.set latest_ncores 1;
  [ step (start ()) { number = 1; size = length; length } 0 ]

(* [over length ~start ~step] has each rank make a state by [start], and step with it through its parts; and is the
   ranks' last states. *)
let over ?(init = ignore) ?(finalize = ignore) ?ncores ?chunksize length ~start ~step =
  let ncores = match ncores with Some n -> n | None -> get_default_ncores () in
  if length = 0 then []
  else if ncores <= 1 then serially length ~start ~step
  else in_parallel ~init ~finalize ~ncores ~chunksize length ~start ~step

let iterate ?init ?finalize ?ncores ?chunksize length f =
  let step () parts k =
    for i = first parts k to last parts k do
      Scope.check ();
      f i
    done
  in
  ignore (over ?init ?finalize ?ncores ?chunksize length ~start:ignore ~step : unit list)

(* Maps and iterations *)

let pariteri ?init ?finalize ?ncores ?chunksize f s =
  let a = to_array s in
  iterate ?init ?finalize ?ncores ?chunksize (Array.length a) (fun i -> f i a.(i))

let pariter ?init ?finalize ?ncores ?chunksize f s =
  pariteri ?init ?finalize ?ncores ?chunksize (fun _ x -> f x) s

(* In order, whatever [keeporder] says: a rank keeps the results of a part with its number. *)
let array_parmapi ?init ?finalize ?ncores ?chunksize ?keeporder:_ f a =
  let step done_ parts k =
    let result i =
      Scope.check ();
      let i = first parts k + i in
      f i a.(i)
    in
    (k, Array.init (last parts k - first parts k + 1) result) :: done_
  in
  let done_ =
    over ?init ?finalize ?ncores ?chunksize (Array.length a) ~start:(fun () -> []) ~step
  in
  let in_order = List.sort (fun (k, _) (l, _) -> Int.compare k l) (List.concat done_) in
  Array.concat (List.map snd in_order)

let array_parmap ?init ?finalize ?ncores ?chunksize ?keeporder f a =
  array_parmapi ?init ?finalize ?ncores ?chunksize ?keeporder (fun _ x -> f x) a

let parmapi ?init ?finalize ?ncores ?chunksize ?keeporder f s =
  Array.to_list (array_parmapi ?init ?finalize ?ncores ?chunksize ?keeporder f (to_array s))

let parmap ?init ?finalize ?ncores ?chunksize ?keeporder f s =
  parmapi ?init ?finalize ?ncores ?chunksize ?keeporder (fun _ x -> f x) s

(* Folds *)

(* A process has its own accumulator, which it may modify: [own first ()] is such a one. *)
let own first =
  match Marshal.to_string first [ Closures ] with
  | text -> fun () -> Marshal.from_string text 0
  | exception Invalid_argument reason ->
      invalid_arg ("Parmap: the first accumulator cannot be copied for each rank: " ^ reason)

let parmapifold ?init ?finalize ?ncores ?chunksize f s op first_acc concat =
  let a = to_array s in
  let step acc parts k =
    let acc = ref acc in
    for i = last parts k downto first parts k do
      Scope.check ();
      acc := op (f i a.(i)) !acc
    done;
    !acc
  in
  let start = own first_acc in
  let accs = over ?init ?finalize ?ncores ?chunksize (Array.length a) ~start ~step in
  List.fold_right concat accs first_acc

let parmapfold ?init ?finalize ?ncores ?chunksize f s op first_acc concat =
  parmapifold ?init ?finalize ?ncores ?chunksize (fun _ x -> f x) s op first_acc concat

let parfold ?init ?finalize ?ncores ?chunksize op s first_acc concat =
  parmapfold ?init ?finalize ?ncores ?chunksize Fun.id s op first_acc concat

(* Arrays of floats *)

exception WrongArraySize

(* Its length: the heap is shared, and results go where they belong. *)
type buf = int

let init_shared_buffer = Array.length

let array_float_parmapi ?init ?finalize ?ncores ?chunksize ?result ?sharedbuffer f a =
  let n = Array.length a in
  let is_too_small length = length < n in
  if Option.fold ~none:false ~some:is_too_small sharedbuffer then raise WrongArraySize;
  let result = match result with Some r -> r | None -> Array.create_float n in
  if is_too_small (Array.length result) then raise WrongArraySize;
  iterate ?init ?finalize ?ncores ?chunksize n (fun i -> result.(i) <- f i a.(i));
  result

let array_float_parmap ?init ?finalize ?ncores ?chunksize ?result ?sharedbuffer f a =
  array_float_parmapi ?init ?finalize ?ncores ?chunksize ?result ?sharedbuffer (fun _ x -> f x) a

(* What only processes have *)

let disable_core_pinning = ignore
let enable_core_pinning = ignore
let set_core_mapping (_ : int array) = ()
let debugging (_ : bool) = ()

(* The interface has [path] in front of nothing but labels, so it cannot be left out in an application of all arguments
   without them: warning 16. *)
let[@warning "-16"] redirect ?path:_ ~id:_ =
  invalid_arg "Parmap.redirect: ranks are no processes, and have one stdout together"
