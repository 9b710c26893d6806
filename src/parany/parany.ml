(* Parany's interface, on Drover's domains.

   Each rank, in a loop,

   1. draws items, a chunk of them, from [demux]: one rank at a time;
   2. calls [work] for each of them, while other ranks do the same;
   3. hands the results on to [mux]: one rank at a time.

   The first rank that fails cancels the others. *)

exception End_of_input

module Local = Drover.Local
module Mutex = Drover.Mutex
module Scope = Drover.Scope

let rank = Local.create (-1)
let get_rank () = Local.get rank

let as_rank ~init ~finalize f i () =
  Local.with_value rank i (fun () -> Scope.bracket ~acquire:(fun () -> init i) ~release:finalize f)

(* [f], called by one rank at a time. When it raises it stays locked: the other ranks wait there until the failure
   cancels them, so it is not called once more. *)
let one_at_a_time f =
  let lock = Mutex.create () in
  fun x ->
    Mutex.lock lock;
    let y = f x in
    Mutex.unlock lock;
    y

(* [chunks csize demux ()] is the next chunk, with its number. It is empty if there are no items left. *)
let chunks csize demux =
  let drawn = ref 0 and is_over = ref false in
  let[@tail_mod_cons] rec draw n =
    if n = 0 || !is_over then []
    else
      match demux () with
      | x -> x :: draw (n - 1)
      | exception End_of_input ->
          is_over := true;
          []
  in
  fun () ->
    let number = !drawn in
    incr drawn;
    (number, draw csize)

(* Results of a chunk wait for those of all chunks before it. *)
let in_turn mux =
  let next = ref 0 and early = Hashtbl.create 16 in
  let rec hand_on () =
    match Hashtbl.find_opt early !next with
    | None -> ()
    | Some ys ->
        Hashtbl.remove early !next;
        incr next;
        List.iter mux ys;
        hand_on ()
  in
  fun (number, ys) ->
    Hashtbl.replace early number ys;
    hand_on ()

let as_it_comes mux (_, ys) = List.iter mux ys

let rec serially demux work mux =
  match demux () with
  | x ->
      mux (work x);
      serially demux work mux
  | exception End_of_input -> ()

let check_each work x =
  Scope.check ();
  work x

let rec serve draw work hand_on =
  match draw () with
  | _, [] -> ()
  | number, items ->
      hand_on (number, List.map (check_each work) items);
      serve draw work hand_on

let run ?(init = ignore) ?(finalize = ignore) ?(preserve = false) ?core_pin:_ ?(csize = 1) nprocs
    ~demux ~work ~mux =
  if csize < 1 then invalid_arg "Parany.run: csize < 1";
  if nprocs <= 1 then serially demux work mux
  else
    let draw = one_at_a_time (chunks csize demux) in
    let hand_on = one_at_a_time ((if preserve then in_turn else as_it_comes) mux) in
    let rank = as_rank ~init ~finalize (fun () -> serve draw work hand_on) in
    ignore (Drover.all (List.init nprocs rank) : unit list)

module Parmap = struct
  let from_list l =
    let rest = ref l in
    fun () ->
      match !rest with
      | [] -> raise End_of_input
      | x :: xs ->
          rest := xs;
          x

  (* In order, whatever [preserve] says. *)
  let parmapi ?init ?finalize ?preserve:_ ?core_pin ?csize nprocs f l =
    let results = ref [] in
    run ?init ?finalize ~preserve:true ?core_pin ?csize nprocs
      ~demux:(from_list (List.mapi (fun i x -> (i, x)) l))
      ~work:(fun (i, x) -> f i x)
      ~mux:(fun y -> results := y :: !results);
    List.rev !results

  let parmap ?init ?finalize ?preserve ?core_pin ?csize nprocs f l =
    parmapi ?init ?finalize ?preserve ?core_pin ?csize nprocs (fun _ x -> f x) l

  let pariter ?init ?finalize ?preserve ?core_pin ?csize nprocs f l =
    run ?init ?finalize ?preserve ?core_pin ?csize nprocs ~demux:(from_list l) ~work:f ~mux:ignore

  let parfold ?init ?finalize ?preserve ?core_pin ?csize nprocs f g first l =
    let acc = ref first in
    run ?init ?finalize ?preserve ?core_pin ?csize nprocs ~demux:(from_list l) ~work:f
      ~mux:(fun y -> acc := g !acc y);
    !acc

  let indices a =
    let next = ref 0 in
    fun () ->
      if !next = Array.length a then raise End_of_input;
      incr next;
      !next - 1

  let array_pariteri ?init ?finalize ?core_pin ?csize nprocs f a =
    run ?init ?finalize ?core_pin ?csize nprocs ~demux:(indices a)
      ~work:(fun i -> f i a.(i))
      ~mux:ignore

  let array_pariter ?init ?finalize ?core_pin ?csize nprocs f a =
    array_pariteri ?init ?finalize ?core_pin ?csize nprocs (fun _ x -> f x) a

  let array_parmap ?init ?finalize ?core_pin ?csize nprocs f first a =
    let results = Array.make (Array.length a) first in
    array_pariteri ?init ?finalize ?core_pin ?csize nprocs (fun i x -> results.(i) <- f x) a;
    results
end
