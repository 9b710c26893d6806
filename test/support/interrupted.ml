let at n callback f =
  let me = Thread.id (Thread.self ()) and count = ref 0 in
  let alloc_minor _ =
    if Thread.id (Thread.self ()) = me then begin
      incr count;
      if !count = n then callback ()
    end;
    None
  in
  let tracker = { Gc.Memprof.null_tracker with alloc_minor } in
  ignore (Gc.Memprof.start ~sampling_rate:1. ~callstack_size:0 tracker : Gc.Memprof.t);
  (* Nothing is allocated before the handler: what [callback] raises there would leave Memprof started. *)
  match f () with
  | v ->
      Gc.Memprof.stop ();
      v
  | exception exn ->
      Gc.Memprof.stop ();
      raise exn
