type loop = ?grain:int -> (int -> unit) -> unit

let with_grain n : (string * loop) list =
  let start = 0 and finish = n - 1 and combine () () = () in
  let each body lo hi =
    for i = lo to hi do
      body i
    done
  in
  [
    ("for", fun ?grain body -> Drover.parallel_for ?grain ~start ~finish body);
    ("range", fun ?grain body -> Drover.parallel_range ?grain ~start ~finish (each body));
    ( "reduce",
      fun ?grain body -> Drover.parallel_reduce ?grain ~start ~finish ~init:() ~combine body );
    ( "reduce_range",
      fun ?grain body ->
        Drover.parallel_reduce_range ?grain ~start ~finish ~init:() ~combine (each body) );
    ( "fold",
      fun ?grain body ->
        Drover.parallel_fold ?grain ~start ~finish ~make:ignore ~merge:combine (fun () i -> body i)
    );
    ( "fold_range",
      fun ?grain body ->
        Drover.parallel_fold_range ?grain ~start ~finish ~make:ignore ~merge:combine
          (fun () lo hi -> each body lo hi) );
    ( "collect",
      fun ?grain body ->
        let f i (_ : unit -> unit) = body i in
        ignore (Drover.parallel_collect ?grain ~start ~finish f : unit array) );
    ( "find_any",
      fun ?grain body ->
        let look i =
          body i;
          None
        in
        ignore (Drover.parallel_find_any ?grain ~start ~finish look : unit option) );
  ]

let over n = List.map (fun (name, (loop : loop)) -> (name, fun body -> loop body)) (with_grain n)
