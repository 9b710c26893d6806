let here () = Thread.id (Thread.self ())

let where is_meant n callback f =
  let count = ref 0 in
  let alloc_minor _ =
    if is_meant (here ()) then begin
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

let at n callback f =
  let me = here () in
  where (fun thread -> thread = me) n callback f

let beside n callback f =
  let me = here () in
  where (fun thread -> thread <> me) n callback f
