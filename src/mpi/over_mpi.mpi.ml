(* Over MPI: see binding.mpi.c for what happens in C.

   Messages of values are found by a probe for any, in the order in which they come, received into
   bytes of their length, and delivered in that order. *)

let is_there = true

(* -1 if the request was done at once. *)
type slot = int

external init : unit -> int * int * Unix.file_descr = "drover_mpi_init"
external heard : unit -> unit = "drover_mpi_heard" [@@noalloc]
external finalize : unit -> unit = "drover_mpi_finalize"
external abort : int -> unit = "drover_mpi_abort"
external version : unit -> string = "drover_mpi_version"
external send_bytes : Bytes.t -> int -> int -> slot = "drover_mpi_send"
external probe : unit -> (int * int * int) option = "drover_mpi_probe"
external take : Bytes.t -> slot = "drover_mpi_take"
external test : slot -> bool = "drover_mpi_test"
external spin : slot -> bool = "drover_mpi_spin"
external watch : slot -> unit = "drover_mpi_watch"
external finish : slot -> unit -> unit = "drover_mpi_finish"
external finish_bytes : slot -> Bytes.t -> unit = "drover_mpi_finish"
external finish_floats : slot -> float array -> unit = "drover_mpi_finish"

type arriving = { slot : slot; source : int; tag : int; bytes : Bytes.t }

(* [finish] also keeps alive what the request reads and writes. *)
type pending = { slot : slot; finish : unit -> unit; resolver : unit Drover.Promise.resolver }

type t = {
  rank : int;
  listener : Transport.listener;
  polling : Mutex.t;
  arriving : arriving Queue.t; (* with [polling] *)
  lock : Mutex.t;
  mutable pending : pending list; (* with [lock] *)
  mutable is_over : bool;
}

(* Requests *)

let settle { finish; resolver; _ } =
  match finish () with
  | () -> Drover.Promise.fulfil resolver ()
  | exception exn -> Drover.Promise.fail resolver exn

(* Each is tested again and again; whoever takes one out settles it. *)
let settle_pending t =
  let done_ =
    Mutex.protect t.lock @@ fun () ->
    if t.pending = [] then []
    else begin
      let done_, pending = List.partition (fun p -> test p.slot) t.pending in
      t.pending <- pending;
      done_
    end
  in
  List.iter settle done_

let promise t slot finish =
  let promise, resolver = Drover.Promise.create () in
  (* Together: whoever finds it done and frees its slot comes after both. *)
  Mutex.protect t.lock (fun () ->
      t.pending <- { slot; finish; resolver } :: t.pending;
      watch slot);
  promise

let wait t slot finish =
  if slot >= 0 then
    if spin slot then finish ()
    else Drover.Scope.protect (fun () -> Drover.await (promise t slot finish))

let done_ = Drover.Promise.of_value ()

let send t ~dest ~tag bytes =
  if dest = t.rank then begin
    t.listener.deliver ~source:dest ~tag bytes;
    done_
  end
  else
    let slot = send_bytes bytes dest tag in
    let finish () =
      finish slot ();
      ignore (Sys.opaque_identity bytes : Bytes.t)
    in
    if slot < 0 then done_ else promise t slot finish

(* What comes. Large messages take their time, and nothing overtakes them. *)

let rec deliver_arrived t =
  match Queue.peek_opt t.arriving with
  | Some { slot; source; tag; bytes } when slot < 0 || test slot ->
      ignore (Queue.pop t.arriving : arriving);
      if slot >= 0 then finish_bytes slot bytes;
      t.listener.deliver ~source ~tag bytes;
      deliver_arrived t
  | Some { slot; _ } -> watch slot
  | None -> ()

let rec take_all t =
  match probe () with
  | None -> ()
  | Some (source, tag, length) ->
      let bytes = Bytes.create length in
      let slot = take bytes in
      Queue.push { slot; source; tag; bytes } t.arriving;
      deliver_arrived t;
      take_all t

(* With [polling]. *)
let poll_now t =
  if not t.is_over then begin
    settle_pending t;
    deliver_arrived t;
    take_all t
  end

let poll t =
  if Mutex.try_lock t.polling then
    Fun.protect ~finally:(fun () -> Mutex.unlock t.polling) (fun () -> poll_now t)

(* What is found done is not watched any more, so the bell rings for it once: whoever listens waits
   for another that polls, which may have looked too early. *)
let rec listen (t, bell) =
  match Unix.read bell (Bytes.create 1) 0 1 with
  | exception Unix.Unix_error (EINTR, _, _) -> listen (t, bell)
  | _ ->
      heard ();
      if not t.is_over then begin
        Mutex.protect t.polling (fun () -> poll_now t);
        listen (t, bell)
      end

(* Numbers *)

external send_big : ('a, 'b, 'c) Bigarray.Array1.t -> int -> int -> int -> slot
  = "drover_mpi_send_numbers"

external send_floats : float array -> int -> int -> int -> slot = "drover_mpi_send_numbers"

external receive_big : ('a, 'b, 'c) Bigarray.Array1.t -> int -> int -> int -> slot
  = "drover_mpi_receive_numbers"

external receive_floats : float array -> int -> int -> int -> slot = "drover_mpi_receive_numbers"

let code_of_kind : type a b. (a, b) Bigarray.kind -> int = function
  | Float64 -> 0
  | Float32 -> 1
  | Int32 -> 2
  | Int64 | Int | Nativeint -> 3
  | Int8_signed -> 4
  | Int8_unsigned | Char -> 5
  | Int16_signed -> 6
  | Int16_unsigned | Float16 -> 7
  | Complex32 -> 8
  | Complex64 -> 9

let code_of : Numbers.t -> int = function
  | Floats _ -> 0
  | Big a -> code_of_kind (Bigarray.Array1.kind a)

(* [from] and [into] are what it reads and writes. *)
let wait_for t slot ~(from : Numbers.t option) ~(into : Numbers.t option) =
  let finish () =
    (match into with
    | Some (Floats a) -> finish_floats slot a
    | Some (Big _) | None -> finish slot ());
    ignore (Sys.opaque_identity (from, into) : Numbers.t option * Numbers.t option)
  in
  wait t slot finish

let send_numbers t ~dest ~tag (n : Numbers.t) =
  let code = code_of n in
  let slot =
    match n with Floats a -> send_floats a code dest tag | Big a -> send_big a code dest tag
  in
  if slot >= 0 then wait_for t slot ~from:(Some n) ~into:None

let receive_numbers t ~source ~tag (n : Numbers.t) =
  let code = code_of n in
  let slot =
    match n with
    | Floats a -> receive_floats a code source tag
    | Big a -> receive_big a code source tag
  in
  if slot >= 0 then wait_for t slot ~from:None ~into:(Some n)

(* The collective, the operation, the type, the root. *)
type what = int * int * int * int

external of_bigs : what -> ('a, 'b, 'c) Bigarray.Array1.t -> ('d, 'e, 'f) Bigarray.Array1.t -> slot
  = "drover_mpi_collective"

external of_floats : what -> float array -> float array -> slot = "drover_mpi_collective"
external of_floats_and_nothing : what -> float array -> unit -> slot = "drover_mpi_collective"
external of_nothing_and_floats : what -> unit -> float array -> slot = "drover_mpi_collective"
external of_nothing : what -> unit -> unit -> slot = "drover_mpi_collective"

external of_big_and_nothing : what -> ('a, 'b, 'c) Bigarray.Array1.t -> unit -> slot
  = "drover_mpi_collective"

external of_nothing_and_big : what -> unit -> ('a, 'b, 'c) Bigarray.Array1.t -> slot
  = "drover_mpi_collective"

let code_of_op : Numbers.op -> int = function Sum -> 0 | Product -> 1 | Min -> 2 | Max -> 3

let codes : Numbers.collective -> int * int = function
  | Broadcast -> (1, 0)
  | Scatter -> (2, 0)
  | Gather -> (3, 0)
  | All_gather -> (4, 0)
  | Reduce op -> (5, code_of_op op)
  | All_reduce op -> (6, code_of_op op)
  | All_to_all -> (7, 0)

let collective t which ~root from into =
  let collective, op = codes which in
  let what n = (collective, op, code_of n, root) in
  let slot =
    match ((from : Numbers.t option), (into : Numbers.t option)) with
    | Some (Floats a as n), Some (Floats b) -> of_floats (what n) a b
    | Some (Big a as n), Some (Big b) ->
        if code_of n <> code_of (Big b) then Numbers.differs ();
        of_bigs (what n) a b
    | Some (Floats a as n), None -> of_floats_and_nothing (what n) a ()
    | None, Some (Floats a as n) -> of_nothing_and_floats (what n) () a
    | Some (Big a as n), None -> of_big_and_nothing (what n) a ()
    | None, Some (Big a as n) -> of_nothing_and_big (what n) () a
    | Some (Floats _), Some (Big _) | Some (Big _), Some (Floats _) | None, None ->
        Numbers.differs ()
  in
  wait_for t slot ~from ~into

let barrier t () = wait_for t (of_nothing (0, 0, 0, 0) () ()) ~from:None ~into:None

let native t =
  {
    Numbers.barrier = barrier t;
    send = send_numbers t;
    receive = receive_numbers t;
    collective = collective t;
  }

(* The end: what was sent must have left. *)
let rec flush t seconds =
  if t.pending <> [] && seconds > 0. then begin
    settle_pending t;
    Unix.sleepf 0.001;
    flush t (seconds -. 0.001)
  end

let finish t () =
  flush t 2.;
  t.is_over <- true;
  finalize ()

type connection = { rank : int; size : int; bell : Unix.file_descr }

let connect () =
  let rank, size, bell = init () in
  { rank; size; bell }

let start { rank; size; bell } listener =
  let t =
    {
      rank;
      listener;
      polling = Mutex.create ();
      arriving = Queue.create ();
      lock = Mutex.create ();
      pending = [];
      is_over = false;
    }
  in
  ignore (Thread.create listen (t, bell) : Thread.t);
  {
    Transport.rank;
    size;
    send = send t;
    poll = (fun () -> poll t);
    spin = 50e-6;
    numbers = Some (native t);
    finish = finish t;
    abort;
  }
