(* Bell: a pair of connected sockets. To ring writes a byte, to park waits for one. A byte stays
   there.

   A signal that comes just before the system call does not end it, and OCaml's handler does not run:
   so the thread looks up now and then.

   Where no descriptor is to be had, or none that [select] can wait for, the thread looks up every
   [slice]; the next time it tries again. *)

type ends = { out_of : Unix.file_descr; into : Unix.file_descr; process : int }

(* The owner prepares the bell, and then looks for what it is to hear of; who rings it has made that
   known before. One of them sees what the other has done. *)
type t = { mutable ends : ends option; [@atomic] mutable is_in_use : bool }

(* How long one system call may take. *)
let glance = 1. (* seconds *)
let create () = { ends = None; is_in_use = false }
let ends bell = Atomic.Loc.get [%atomic.loc bell.ends]
let set_ends bell ends = Atomic.Loc.set [%atomic.loc bell.ends] ends

(* What raises before the bell has its ends leaves none of them open. *)
let make_ends bell process =
  let first = Opened.none () and second = Opened.none () in
  let undo () =
    Opened.close first;
    Opened.close second
  in
  Critical.or_undo ~undo (fun () ->
      match Unix.socketpair ~cloexec:true PF_UNIX SOCK_STREAM 0 with
      | out_of, into ->
          Opened.note first out_of;
          Opened.note second into;
          Unix.set_nonblock into;
          Unix.setsockopt_float out_of SO_RCVTIMEO glance;
          set_ends bell (Some { out_of; into; process })
      | exception Unix.Unix_error _ -> set_ends bell None)

(* A child of [Unix.fork] must not
   take what is for its parent. It leaves the parent's ends open, lest a ring that is under way goes
   to what has their number next. *)
let prepare bell =
  let process = Unix.getpid () in
  match ends bell with
  | Some ends when ends.process = process -> ()
  | Some _ | None -> make_ends bell process

(* A ring too many is no harm, and nor is one that finds no room. *)
let ring bell =
  match ends bell with
  | None -> ()
  | Some { into; _ } -> (
      try ignore (Unix.single_write_substring into "." 0 1 : int) with Unix.Unix_error _ -> ())

(* How long a thread may be parked whom nobody can wake. *)
let slice = 0.01 (* seconds *)

let take out_of =
  try ignore (Unix.read out_of (Bytes.create 64) 0 64 : int)
  with Unix.Unix_error ((EINTR | EAGAIN | EWOULDBLOCK), _, _) -> ()

(* A program may close all descriptors that it does not know. *)
let is_closed bell =
  match Option.map (fun ends -> Unix.fstat ends.out_of) (ends bell) with
  | (_ : Unix.stats option) -> false
  | exception Unix.Unix_error (EBADF, _, _) -> true

(* The end of the bell is beyond the limit of [select]; the timer of a read is coarser. *)
let take_within seconds out_of =
  Unix.setsockopt_float out_of SO_RCVTIMEO (Float.max seconds 0.001);
  take out_of;
  Unix.setsockopt_float out_of SO_RCVTIMEO glance

let nothing = ([], [])

let select read write seconds =
  match Unix.select read write [] seconds with
  | read, write, _ -> (read, write)
  | exception Unix.Unix_error (EINTR, _, _) -> nothing

let park_on out_of ~read ~write seconds =
  match select (out_of :: read) write seconds with
  | rung :: read, write when rung = out_of ->
      take out_of;
      (read, write)
  | read, write ->
      if List.mem out_of read then take out_of;
      (List.filter (( <> ) out_of) read, write)
  | exception Unix.Unix_error (EINVAL, _, _) when read = [] && write = [] ->
      take_within seconds out_of;
      nothing
  | exception Unix.Unix_error (EINVAL, _, _) -> select read write (Float.min slice seconds)

let park_until bell time ~read ~write =
  match ends bell with
  | Some { out_of; _ } when time = infinity && read = [] && write = [] ->
      take out_of;
      nothing
  | ends -> (
      let seconds = Float.max 0. (Float.min glance (time -. Clock.now ())) in
      match ends with
      | Some { out_of; _ } -> park_on out_of ~read ~write seconds
      | None -> select read write (Float.min slice seconds))

(* The handler of a signal may use the
   bell in the middle of that, and take a ring that was not for it: so it passes it on. *)
let park ?(read = []) ?(write = []) bell ~until =
  Critical.reserve_stack ();
  let outer = bell.is_in_use in
  bell.is_in_use <- true;
  let leave () =
    bell.is_in_use <- outer;
    if outer then ring bell
  in
  match park_until bell until ~read ~write with
  | ready ->
      leave ();
      ready
  | exception Unix.Unix_error (EBADF, _, _) when is_closed bell ->
      set_ends bell None;
      leave ();
      nothing
  | exception exn -> Critical.raise_after leave () exn
