(* Bell: a pair of connected sockets. To ring writes a byte, which stays there until the thread takes
   it; to park waits for one.

   A signal that comes just before the system call does not end it, and OCaml's handler does not run:
   so the thread looks up now and then.

   Where no descriptor is to be had, the thread looks up every hundredth of a second; the next time it
   tries again. *)

type ends = { out_of : Unix.file_descr; into : Unix.file_descr; process : int }
type t = ends option Atomic.t

let create () = Atomic.make None

(* How long one system call may take. *)
let glance = 1. (* seconds *)

(* A child of [Unix.fork] must not take what is for its parent. It leaves the parent's ends open, lest
   a ring that is under way goes to what has their number next. *)
let prepare bell =
  let process = Unix.getpid () in
  match Atomic.get bell with
  | Some ends when ends.process = process -> ()
  | Some _ | None -> (
      match Unix.socketpair ~cloexec:true PF_UNIX SOCK_STREAM 0 with
      | out_of, into ->
          Unix.set_nonblock into;
          Unix.setsockopt_float out_of SO_RCVTIMEO glance;
          Atomic.set bell (Some { out_of; into; process })
      | exception Unix.Unix_error _ -> Atomic.set bell None)

(* A ring too many is no harm, and nor is one that finds no room. *)
let ring bell =
  match Atomic.get bell with
  | None -> ()
  | Some { into; _ } -> (
      try ignore (Unix.single_write_substring into "." 0 1 : int) with Unix.Unix_error _ -> ())

(* A program may close all descriptors that it does not know. *)
let take bell out_of =
  match Unix.read out_of (Bytes.create 64) 0 64 with
  | 0 | (exception Unix.Unix_error (EBADF, _, _)) -> Atomic.set bell None
  | (_ : int) | (exception Unix.Unix_error ((EINTR | EAGAIN | EWOULDBLOCK), _, _)) -> ()

let park ?(requests = [||]) bell ~until =
  let seconds = Float.max 0. (Float.min glance (until -. System.now ())) in
  match Atomic.get bell with
  | None -> Poll.wait requests (Float.min 0.01 seconds)
  | Some { out_of; _ } when until = infinity && Array.length requests = 0 -> take bell out_of
  | Some { out_of; _ } ->
      let rung = Poll.request ~for_writing:false out_of in
      Poll.wait (Array.append [| rung |] requests) seconds;
      if rung.state <> Waiting then take bell out_of
