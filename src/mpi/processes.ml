(* Processes: ranks on one machine, which need no MPI.

   Rank 0 has a socket to each of the others ([Children]); messages between two others go by way of
   rank 0. A thread waits for the sockets; so messages arrive also while all workers compute, though up
   to 50 ms late, as OCaml's threads take turns. *)

type t = {
  rank : int;
  links : Link.t option array; (* rank 0's by rank; the others have one, to rank 0 *)
  children : Children.t array; (* rank 0's; of rank i + 1 *)
  listener : Transport.listener;
  bell : Unix.file_descr * Unix.file_descr; (* rung when the thread is to look again *)
  receiving : Mutex.t;
  dead : Link.t list Atomic.t; (* to be closed by the thread, which may be waiting for them *)
  mutable is_over : bool;
}

let ring t =
  if not t.is_over then
    try ignore (Unix.write (snd t.bell) (Bytes.make 1 '!') 0 1 : int) with Unix.Unix_error _ -> ()

let rec silence t =
  match Unix.read (fst t.bell) (Bytes.create 64) 0 64 with
  | (_ : int) -> silence t
  | exception Unix.Unix_error _ -> ()

let link_to t rank = if t.rank = 0 then t.links.(rank) else t.links.(0)

let forward t ~source ~dest ~tag bytes sent =
  match link_to t dest with
  | None -> Option.iter (fun sent -> Drover.Promise.fulfil sent ()) sent
  | Some link ->
      Link.send link ~source ~dest ~tag bytes sent;
      if Link.has_out link then ring t

let send t ~dest ~tag bytes =
  if dest = t.rank then begin
    t.listener.deliver ~source:dest ~tag bytes;
    Drover.Promise.of_value ()
  end
  else begin
    let promise, sent = Drover.Promise.create () in
    forward t ~source:t.rank ~dest ~tag bytes (Some sent);
    promise
  end

let rec leave_to_thread t link =
  let dead = Atomic.get t.dead in
  if not (Atomic.compare_and_set t.dead dead (link :: dead)) then leave_to_thread t link

let lose t i link =
  Link.shut_out link;
  t.links.(i) <- None;
  leave_to_thread t link;
  ring t;
  if t.rank > 0 then
    begin if not t.is_over then Unix._exit 1
    end
  else if not t.is_over then
    let why =
      match Children.await_end t.children.(i - 1) 0.5 with
      | Some status -> Children.reason status
      | None -> "it has closed its connection"
    in
    t.listener.ended ~rank:i why

(* What has come *)

let take t (m : Link.message) =
  if m.dest = t.rank then t.listener.deliver ~source:m.source ~tag:m.tag m.bytes
  else forward t ~source:m.source ~dest:m.dest ~tag:m.tag m.bytes None

let all_links t =
  let with_link i = Option.map (fun link -> (i, link)) t.links.(i) in
  List.filter_map with_link (List.init (Array.length t.links) Fun.id)

let receive t ready =
  let one (i, (link : Link.t)) =
    if List.mem link.socket ready && not (Link.receive link (take t)) then lose t i link
  in
  List.iter one (all_links t)

let sockets links = List.map (fun (_, (link : Link.t)) -> link.socket) links

let poll t =
  if (not t.is_over) && Mutex.try_lock t.receiving then
    Fun.protect
      ~finally:(fun () -> Mutex.unlock t.receiving)
      (fun () ->
        let ready, _ = Drover_bridge.select (sockets (all_links t)) [] 0. in
        if ready <> [] then receive t ready)

let close_dead t = List.iter Link.close (Atomic.exchange t.dead [])

let close_all t =
  close_dead t;
  List.iter (fun (_, link) -> Link.close link) (all_links t);
  Unix.close (fst t.bell);
  Unix.close (snd t.bell)

let rec listen t =
  close_dead t;
  let links = all_links t in
  let full = List.filter (fun (_, link) -> Link.has_out link) links in
  let reads, writes = Drover_bridge.select (fst t.bell :: sockets links) (sockets full) infinity in
  silence t;
  if not t.is_over then begin
    List.iter (fun (_, (l : Link.t)) -> if List.mem l.socket writes then Link.flush l) full;
    if reads <> [] then Mutex.protect t.receiving (fun () -> receive t reads);
    listen t
  end
  else Mutex.protect t.receiving (fun () -> close_all t)

(* The end *)

let rec flush_all t seconds =
  let full = List.filter (fun (_, link) -> Link.has_out link) (all_links t) in
  if full <> [] && seconds > 0. then begin
    let _, writes = Drover_bridge.select [] (sockets full) 0.05 in
    List.iter (fun (_, (l : Link.t)) -> if List.mem l.socket writes then Link.flush l) full;
    flush_all t (seconds -. 0.05)
  end

(* The thread closes everything. *)
let end_thread t =
  t.is_over <- true;
  try ignore (Unix.write (snd t.bell) (Bytes.make 1 '!') 0 1 : int) with Unix.Unix_error _ -> ()

let patience = 2. (* seconds, for a rank to end by itself *)

let finish t () =
  flush_all t patience;
  end_thread t;
  let deadline = Unix.gettimeofday () +. patience in
  let one child =
    if Children.await_end child (deadline -. Unix.gettimeofday ()) = None then Children.stop child
  in
  Array.iter one t.children

let abort t code =
  t.is_over <- true;
  Array.iter Children.kill t.children;
  Unix._exit code

let transport t ~size =
  ignore (Thread.create listen t : Thread.t);
  {
    Transport.rank = t.rank;
    size;
    send = send t;
    poll = (fun () -> poll t);
    spin = 0.;
    numbers = None;
    finish = finish t;
    abort = abort t;
  }

let make ~rank links children listener =
  let r, w = Unix.pipe ~cloexec:true () in
  List.iter Unix.set_nonblock [ r; w ];
  Sys.set_signal Sys.sigpipe Signal_ignore;
  let receiving = Mutex.create () in
  let dead = Atomic.make [] in
  { rank; links; children; listener; bell = (r, w); receiving; dead; is_over = false }

(* Of rank 0 *)
let lead children listener =
  let link (child : Children.t) = Some (Link.create child.socket) in
  let links = Array.append [| None |] (Array.map link children) in
  transport (make ~rank:0 links children listener) ~size:(Array.length links)

(* Of another rank *)
let follow ({ rank; size; socket; domains = _ } : Children.place) listener =
  transport (make ~rank [| Some (Link.create socket) |] [||] listener) ~size
