open Test_support
open Drover

type t = { name : string; over : int -> (unit -> unit) -> unit }

let named = Stdlib.List.map (fun (name, over) -> { name; over })
let combine () () = ()

let after body v _ =
  body ();
  v

let rec balanced n body =
  if n = 1 then body ()
  else
    let (), () = both (fun () -> balanced (n / 2) body) (fun () -> balanced (n - (n / 2)) body) in
    ()

(* A list, by its head and the rest. *)
let rec comb n body =
  if n = 1 then body ()
  else
    let (), () = both body (fun () -> comb (n - 1) body) in
    ()

let rec comb_to_the_left n body =
  if n = 1 then body ()
  else
    let (), () = both (fun () -> comb_to_the_left (n - 1) body) body in
    ()

let trees =
  named
    [
      ("all", fun n body -> ignore (Drover.all (Stdlib.List.init n (fun _ -> body)) : unit list));
      ("both", balanced);
      ("both, of one and the rest", comb);
      ("both, of the rest and one", comb_to_the_left);
    ]

let loop (name, _) =
  let over n body =
    let loop : Loop_forms.loop = Stdlib.List.assoc name (Loop_forms.with_grain n) in
    let body _ = body () in
    if name = "reduce_range" then loop ~grain:1 body else loop body
  in
  { name; over }

let loops =
  let start = 1 in
  Stdlib.List.map loop (Loop_forms.with_grain 1)
  @ named
      [
        ( "Memo.get, in a loop",
          fun n body ->
            let memo = Memo.create (fun _ -> after body ()) in
            parallel_for ~start:1 ~finish:n (Memo.get memo) );
        ( "Batch.submit, a loop",
          fun n body ->
            let run =
              Stdlib.Array.iter (fun n -> parallel_for ~start:1 ~finish:n (fun _ -> body ()))
            in
            Batch.submit (Batch.create run) n );
        ( "nested loops",
          fun n body ->
            parallel_for ~start:0 ~finish:1 (fun half ->
                parallel_for ~start ~finish:((n + half) / 2) (fun _ -> body ())) );
      ]

let tasks =
  named
    [
      ("async", fun n body -> Stdlib.List.iter await (Stdlib.List.init n (fun _ -> async body)));
      ( "Promise.all",
        fun n body ->
          ignore (await (Promise.all (Stdlib.List.init n (fun _ -> async body))) : unit list) );
      ( "Scope.spawn",
        fun n body ->
          Scope.run (fun s ->
              for _ = 1 to n do
                Scope.spawn s body
              done) );
      ( "Scope.async",
        fun n body ->
          Scope.run (fun s ->
              Stdlib.List.iter await (Stdlib.List.init n (fun _ -> Scope.async s body))) );
      ("Scope.first", fun n body -> Scope.first (Stdlib.List.init n (fun _ -> body)));
      ( "Semaphore.spawn",
        fun n body ->
          let permits = Semaphore.create n in
          Scope.run (fun s ->
              for _ = 1 to n do
                Semaphore.spawn permits s body
              done) );
      ( "Memo.get, by async",
        fun n body ->
          let memo = Memo.create (fun _ -> after body ()) in
          Stdlib.List.iter await (Stdlib.List.init n (fun i -> async (fun () -> Memo.get memo i)))
      );
      ( "Batch.submit, to several",
        fun n body ->
          let batch _ = Batch.create (Stdlib.Array.iter body) in
          let submit b = async (fun () -> Batch.submit b ()) in
          Stdlib.List.iter await (Stdlib.List.map submit (Stdlib.List.init n batch)) );
    ]

(* Each is over an array, a list or a sequence of [n] elements. *)
let elements =
  let array n = Stdlib.Array.init n Fun.id and list n = Stdlib.List.init n Fun.id in
  let of_array name f = ("Array." ^ name, fun n body -> f body (array n))
  and of_list name f = ("List." ^ name, fun n body -> f body (list n)) in
  named
    [
      ("Array.init", fun n body -> ignore (Array.init n (after body ()) : unit array));
      of_array "map" (fun body a -> ignore (Array.map (after body ()) a : unit array));
      of_array "mapi" (fun body a -> ignore (Array.mapi (fun i -> after body i) a : int array));
      of_array "map2" (fun body a -> ignore (Array.map2 (fun i -> after body i) a a : int array));
      of_array "map_inplace" (fun body a -> Array.map_inplace (after body 0) a);
      of_array "iter" (fun body a -> Array.iter (after body ()) a);
      of_array "iteri" (fun body a -> Array.iteri (fun _ -> after body ()) a);
      of_array "concat_map" (fun body a ->
          ignore (Array.concat_map (after body [| 0 |]) a : int array));
      of_array "reduce" (fun body a -> Array.reduce ~init:() ~combine (after body ()) a);
      of_array "fold" (fun body a ->
          Array.fold ~make:ignore ~merge:combine (fun () -> after body ()) a);
      of_array "count" (fun body a -> ignore (Array.count (after body true) a : int));
      of_array "find_map" (fun body a -> ignore (Array.find_map (after body None) a : int option));
      of_array "exists" (fun body a -> ignore (Array.exists (after body false) a : bool));
      of_array "filter" (fun body a -> ignore (Array.filter (after body true) a : int array));
      of_array "filter_map" (fun body a ->
          ignore (Array.filter_map (after body None) a : int array));
      of_array "histogram" (fun body a ->
          ignore (Array.histogram ~bins:1 (after body 0) a : int array));
      of_list "map" (fun body l -> ignore (List.map (after body ()) l : unit list));
      of_list "iter" (fun body l -> List.iter (after body ()) l);
      of_list "filter" (fun body l -> ignore (List.filter (after body true) l : int list));
      ("List.init", fun n body -> ignore (List.init n (after body ()) : unit list));
      of_list "iteri" (fun body l -> List.iteri (fun _ -> after body ()) l);
      of_list "partition" (fun body l ->
          ignore (List.partition (after body true) l : int list * int list));
      of_list "concat_map" (fun body l -> ignore (List.concat_map (after body []) l : int list));
      of_list "exists" (fun body l -> ignore (List.exists (after body false) l : bool));
      of_list "find_map" (fun body l -> ignore (List.find_map (after body None) l : int option));
      of_list "reduce" (fun body l -> List.reduce ~init:() ~combine (after body ()) l);
      ("Float_array.init", fun n body -> ignore (Float_array.init n (after body 0.) : Float_array.t));
      ( "Bigarray1.init_float64",
        fun n body -> ignore (Bigarray1.init_float64 n (after body 0.) : Bigarray1.float64) );
      ("Rng.iter", fun n body -> Rng.iter (Random.State.make [||]) n (fun _ -> after body ()));
      ("Delayed.iter", fun n body -> Delayed.iter (after body ()) (Delayed.tabulate n Fun.id));
      ( "Delayed.reduce",
        fun n body -> Delayed.reduce ~init:() ~combine (Delayed.tabulate n (after body ())) );
      ( "Seq.iter",
        fun n body -> Seq.iter ~ahead:n (after body ()) (Stdlib.Seq.take n (Stdlib.Seq.ints 0)) );
    ]

let by_keys =
  named
    [
      ( "Array.group_by",
        fun n body ->
          ignore
            (Array.group_by (fun i -> after body i i) (Stdlib.Array.init n Fun.id)
              : (int * int array) array) );
      ( "Array.reduce_by",
        fun n body ->
          ignore
            (Array.reduce_by ~combine Fun.id (after body ()) (Stdlib.Array.init n Fun.id)
              : (int * unit) array) );
    ]
