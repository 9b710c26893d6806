(* World: how ranks come to be, and how they end.

   Whoever the launcher, or rank 0, has started runs the program from its beginning. In [run], rank 0
   goes on with the function that it is given, and the others follow until that has ended; then they
   exit. *)

let listener mailboxes ~introduce ~serve ~ended =
  let deliver ~source ~tag bytes =
    if tag = Transport.service then serve ~source bytes
    else if tag = Transport.hello then introduce ~source (Bytes.to_string bytes)
    else Mailboxes.deliver mailboxes ~source ~tag bytes
  in
  let ended ~rank reason =
    Mailboxes.ended mailboxes ~rank reason;
    ended ~rank reason
  in
  { Transport.deliver; ended }

let settle make mailboxes listener =
  let transport : Transport.t = make listener in
  let here = Here.create transport mailboxes in
  Atomic.set Here.now (Some here);
  here

let leave () =
  Atomic.set Leader.now None;
  Atomic.set Here.now None

(* The others *)

let follow ?domains ~size make =
  let mailboxes = Mailboxes.create ~size in
  let nobody ~source:_ _ = () and ended ~rank:_ _ = () in
  let start serve =
    listener mailboxes ~introduce:nobody ~serve:(fun ~source:_ bytes -> serve bytes) ~ended
    |> settle make mailboxes
  in
  (try Follower.follow ?domains start with Follower.Over -> ());
  (Here.wait ()).transport.finish ();
  leave ();
  exit 0

(* Rank 0 *)

let fatal rank message = Leader.end_all { item = None; rank; message; backtrace = "" }

(* The other ranks say who they are: the same program, with so many domains. *)
let introductions ~size domains =
  let missing = Atomic.make (size - 1) in
  let promise, resolver = Drover.Promise.create () in
  if size = 1 then Drover.Promise.fulfil resolver ();
  let introduce ~source text =
    match Scanf.sscanf_opt text "%s %d" (fun program n -> (program, n)) with
    | Some (program, n) when program = Lazy.force Parcel.program ->
        domains.(source) <- n;
        if Atomic.fetch_and_add missing (-1) = 1 then Drover.Promise.fulfil resolver ()
    | _ -> fatal source "it is another program, or another version of it, than rank 0"
  in
  (introduce, promise)

let lead ~size make =
  let mailboxes = Mailboxes.create ~size in
  let domains = Array.make size 0 in
  domains.(0) <- Drover.Pool.(Option.fold ~none:1 ~some:size (current ()));
  let introduce, all_here = introductions ~size domains in
  let ended ~rank reason =
    if Drover.Promise.is_settled all_here then Leader.lose rank reason
    else fatal rank ("before it came to Drover_mpi.run, " ^ reason)
  in
  let here = settle make mailboxes (listener mailboxes ~introduce ~serve:Leader.serve ~ended) in
  let leader =
    {
      Leader.here;
      domains;
      lock = Mutex.create ();
      calls = Hashtbl.create 8;
      returns = Hashtbl.create 8;
      byes = Atomic.make None;
    }
  in
  Atomic.set Leader.now (Some leader);
  Drover.await all_here;
  leader

(* On one machine *)

let processors () = Domain.recommended_domain_count ()

let positive name = function
  | Some n when n < 1 -> invalid_arg (Printf.sprintf "Drover_mpi.run: %s < 1" name)
  | n -> n

let variable = "DROVER_RANKS"

let ranks_of_environment () =
  match Sys.getenv_opt variable with
  | None | Some "" -> None
  | Some text -> (
      match int_of_string_opt text with
      | Some n when n > 0 -> Some n
      | _ ->
          invalid_arg (Printf.sprintf "Drover_mpi.run: %s=%s is no positive number" variable text))

let choose_size ranks =
  match (ranks, ranks_of_environment ()) with
  | Some n, _ | None, Some n -> n
  | None, None -> processors ()

let run_as_processes ~size ~domains f =
  let domains = Option.value domains ~default:(Int.max 1 (processors () / size)) in
  let children = Array.of_list (Children.start ~size ~domains 1) in
  Fun.protect ~finally:(fun () -> Array.iter Children.stop children) @@ fun () ->
  Drover.run ~domains @@ fun () ->
  let leader = lead ~size (Processes.lead children) in
  let finish () =
    ignore (Leader.dismiss leader : bool);
    leader.here.transport.finish ();
    leave ()
  in
  Fun.protect f ~finally:finish

(* Over MPI. It can be begun once in a program; so ranks that have served one [run] wait for the next,
   and all end when rank 0 comes to its end. *)

let is_launched () =
  let there name = Option.value (Sys.getenv_opt name) ~default:"" <> "" in
  List.exists there [ "OMPI_COMM_WORLD_RANK"; "PMIX_RANK"; "PMI_RANK" ]

type job = Not_begun | Leads of Leader.t | Ended

let job = ref Not_begun

(* [false] if somebody had to be stopped. *)
let end_job () =
  match !job with
  | Leads leader ->
      job := Ended;
      let is_well = Leader.dismiss leader in
      if is_well then leader.here.transport.finish ();
      leave ();
      is_well
  | Not_begun | Ended -> true

let end_at_exit (transport : Transport.t) =
  if not (end_job ()) then begin
    Failure.print
      { item = None; rank = 0; message = "the program ends while others compute"; backtrace = "" };
    transport.abort 1
  end

let begin_job ~size connection =
  let leader = lead ~size (Over_mpi.start connection) in
  job := Leads leader;
  at_exit (fun () -> end_at_exit leader.here.transport)

(* A rank that exits by itself would leave the others waiting. *)
let exits_alone () =
  let abort (here : Here.t) =
    let rank = here.transport.rank in
    Failure.print { item = None; rank; message = "it has called exit"; backtrace = "" };
    here.transport.abort 1
  in
  Option.iter abort (Atomic.get Here.now)

let follow_job ~domains ~size connection =
  at_exit exits_alone;
  follow ?domains ~size (Over_mpi.start connection)

let end_after exn backtrace (transport : Transport.t) =
  if not (end_job ()) then begin
    Failure.print (Failure.of_exn ~rank:0 exn backtrace);
    transport.abort 2
  end;
  Printexc.raise_with_backtrace exn backtrace

let lead_job ~domains begin_ f =
  Drover.run ?domains (fun () ->
      begin_ ();
      match f () with
      | v -> v
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          end_after exn backtrace (Here.wait ()).transport)

let run_over_mpi ~domains f =
  match !job with
  | Ended -> failwith "Drover_mpi.run: the job of MPI has ended"
  | Leads _ -> lead_job ~domains ignore f
  | Not_begun ->
      let connection = Over_mpi.connect () in
      let size = connection.size in
      if connection.rank > 0 then follow_job ~domains ~size connection
      else lead_job ~domains (fun () -> begin_job ~size connection) f

let is_inside = Atomic.make false

let run ?ranks ?domains f =
  let domains = positive "domains" domains and ranks = positive "ranks" ranks in
  if not (Atomic.compare_and_set is_inside false true) then
    invalid_arg "Drover_mpi.run: inside of itself";
  Fun.protect ~finally:(fun () -> Atomic.set is_inside false) @@ fun () ->
  Printexc.record_backtrace true;
  match Children.place with
  | Some place -> follow ~domains:place.domains ~size:place.size (Processes.follow place)
  | None when is_launched () -> run_over_mpi ~domains f
  | None -> run_as_processes ~size:(choose_size ranks) ~domains f
