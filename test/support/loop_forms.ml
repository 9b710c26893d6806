let over n =
  let start = 0 and finish = n - 1 and combine () () = () in
  let each body lo hi =
    for i = lo to hi do
      body i
    done
  in
  [
    ("for", fun body -> Drover.parallel_for ~start ~finish body);
    ("range", fun body -> Drover.parallel_range ~start ~finish (each body));
    ("reduce", fun body -> Drover.parallel_reduce ~start ~finish ~init:() ~combine body);
    ( "reduce_range",
      fun body -> Drover.parallel_reduce_range ~start ~finish ~init:() ~combine (each body) );
    ( "fold",
      fun body ->
        Drover.parallel_fold ~start ~finish ~make:ignore ~merge:combine (fun () i -> body i) );
    ( "collect",
      fun body ->
        let f i (_ : unit -> unit) = body i in
        ignore (Drover.parallel_collect ~start ~finish f : unit array) );
    ( "fold_range",
      fun body ->
        Drover.parallel_fold_range ~start ~finish ~make:ignore ~merge:combine (fun () lo hi ->
            each body lo hi) );
  ]
