module Task = Domainslib.Task

(* Tasks that wait for each other, as many as there are domains, occupy one domain each. *)
let worker_per_domain pool f =
  let domains = Task.get_num_domains pool in
  let arrived = Atomic.make 0 in
  let meet () =
    Atomic.incr arrived;
    Clock.spin_until (fun () -> Atomic.get arrived >= domains);
    f ()
  in
  Task.run pool (fun () ->
      List.init domains (fun _ -> Task.async pool meet) |> List.iter (Task.await pool))

let initial_words = (Gc.get ()).minor_heap_size

let set_minor_heap words =
  if (Gc.get ()).minor_heap_size <> words then Gc.set { (Gc.get ()) with minor_heap_size = words }

(* The previous sample's pool may have enlarged the minor heap of this domain, and left garbage. *)
let reset minor_heap_words =
  set_minor_heap (Option.value minor_heap_words ~default:initial_words);
  Gc.full_major ()

let use_drover ~domains ~minor_heap_words run use =
  Drover.Pool.with_pool ~name:"bench" ~domains ?minor_heap_words (fun pool ->
      use ~obtained:(Drover.Pool.size pool) (fun i -> Drover.Pool.run pool (fun () -> run i)))

let use_domainslib ~domains ~minor_heap_words run use =
  let pool = Task.setup_pool ~num_domains:(domains - 1) () in
  Fun.protect
    ~finally:(fun () -> Task.teardown_pool pool)
    (fun () ->
      Option.iter
        (fun words -> worker_per_domain pool (fun () -> set_minor_heap words))
        minor_heap_words;
      use ~obtained:(Task.get_num_domains pool) (fun i -> Task.run pool (fun () -> run pool i)))

let use ~domains ~minor_heap_words (engine : _ Kernel.engine) f =
  reset minor_heap_words;
  match engine with
  | Serial run -> f ~obtained:1 run
  | Drover run -> use_drover ~domains ~minor_heap_words run f
  | Domainslib run -> use_domainslib ~domains ~minor_heap_words run f
  | Program _ -> invalid_arg "Session.use: another program has its own pool"
