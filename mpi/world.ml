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
      waits_for_bye = 0;
      last_bye = None;
    }
  in
  Atomic.set Leader.now (Some leader);
  Drover.await all_here;
  leader

let leave () =
  Atomic.set Leader.now None;
  Atomic.set Here.now None

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
  match (positive "ranks" ranks, ranks_of_environment ()) with
  | Some n, _ | None, Some n -> n
  | None, None -> processors ()

let run_as_processes ~size ~domains f =
  let domains = Option.value domains ~default:(Int.max 1 (processors () / size)) in
  Drover.run ~domains @@ fun () ->
  let leader = lead ~size (Processes.lead ~size ~domains) in
  let finish () =
    ignore (Leader.dismiss leader : bool);
    leader.here.transport.finish ();
    leave ()
  in
  Fun.protect f ~finally:finish

let run ?ranks ?domains f =
  if Atomic.get Here.now <> None then invalid_arg "Drover_mpi.run: inside of itself";
  let domains = positive "domains" domains in
  Printexc.record_backtrace true;
  match Processes.place with
  | Some place -> follow ~domains:place.domains ~size:place.size (Processes.follow place)
  | None -> run_as_processes ~size:(choose_size ranks) ~domains f
