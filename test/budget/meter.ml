(* The words that were allocated in minor heaps: in this domain's, or in those of all domains, which are
   known after a collection. *)

let count place =
  if Paths.is_exact place then Float.to_int (Gc.minor_words ())
  else begin
    Gc.minor ();
    Float.to_int (Gc.quick_stat ()).minor_words
  end
