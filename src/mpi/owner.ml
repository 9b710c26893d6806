(* Owner: the one map that writes a file, among all maps of all jobs.

   The lock is the system's, so that it goes with its process however that ends, and holds for other
   machines where the file system does. It lies on a file beside, which nobody else opens: a process
   that closes any descriptor of a file loses its locks there. The locks are the process's, so a list
   keeps its other maps out.

   1. The owner enters the file into [owned]; its other maps find it there.
   2. It locks the file beside.
   3. It looks whether that is still there: an owner removes it before it gives the lock up. If not,
      it goes back to 2. *)

type t = { beside : string; descriptor : Unix.file_descr }

let owned : string list Atomic.t = Atomic.make []

let rec enter beside =
  let before = Atomic.get owned in
  (not (List.mem beside before))
  && (Atomic.compare_and_set owned before (beside :: before) || enter beside)

let rec leave beside =
  let before = Atomic.get owned in
  let after = List.filter (( <> ) beside) before in
  if not (Atomic.compare_and_set owned before after) then leave beside

let is_at beside descriptor =
  match Unix.stat beside with
  | there -> there.st_ino = (Unix.fstat descriptor).st_ino
  | exception Unix.Unix_error (ENOENT, _, _) -> false

(* [None] if another process has it. *)
let rec lock beside =
  let descriptor = Unix.openfile beside [ O_RDWR; O_CREAT; O_CLOEXEC ] 0o644 in
  match Unix.lockf descriptor F_TLOCK 0 with
  | () when is_at beside descriptor -> Some descriptor
  | () ->
      Unix.close descriptor;
      lock beside
  | exception Unix.Unix_error ((EAGAIN | EACCES), _, _) ->
      Unix.close descriptor;
      None
  | exception exn ->
      Unix.close descriptor;
      raise exn

(* Of a file that is there. The error says who has it. *)
let take file =
  let beside = Unix.realpath file ^ ".lock" in
  if not (enter beside) then Error "is in use by another map of this program"
  else
    match lock beside with
    | Some descriptor -> Ok { beside; descriptor }
    | None ->
        leave beside;
        Error "is in use by another job"
    | exception exn ->
        leave beside;
        raise exn

let release { beside; descriptor } =
  (try Unix.unlink beside with Unix.Unix_error _ -> ());
  Unix.close descriptor;
  leave beside
