(* Locks. *)

(* A turnstile for one, that knows which task holds it. When that task ends, it is unlocked. *)
module Mutex = struct
  type t = Turnstile.t

  let locking = "locks a mutex"
  let create ?(name = "a mutex") () = Turnstile.create ~name locking ~most:1 1

  (* Before it is locked, so that nothing is left to do then but a store. What a thread outside any task
     holds, nobody gives back for it. *)
  let[@inline] holder m =
    match Worker.mine () with
    | Some w when w.context != Context.none -> Token.may_hold w.context.token (Turnstile.hold m)
    | Some _ | None -> Task.number_of_thread ()

  let[@inline] lock m = Turnstile.acquire ~n:1 m (holder m)

  let try_lock m =
    let holder = holder m in
    let is_locked = Turnstile.try_acquire ~n:1 m in
    if is_locked then (Turnstile.hold m).holder <- holder;
    is_locked

  let is_locked m = Turnstile.free m = 0

  (* Where another has unlocked it just as the caller had locked it, the caller was noted too late. *)
  let not_locked caller m =
    let me = holder m and hold = Turnstile.hold m in
    if hold.holder = me then Hold.give_back hold;
    invalid_arg ("Drover." ^ caller ^ ": " ^ hold.name ^ " is not locked")

  (* Before it is unlocked its holder is forgotten, so that the next one's number stays. *)
  let[@inline] unlock_for caller m =
    Section.reserve_stack ();
    let was_locked = is_locked m in
    if was_locked then Hold.give_back (Turnstile.hold m);
    if not (was_locked && Turnstile.release ~n:1 m) then not_locked caller m

  let unlock m = unlock_for "Mutex.unlock" m
  let protect m f = Turnstile.protect ~n:1 m (holder m) f

  (* A fiber of a host that was cancelled can only block its thread. *)
  let lock_in_any_case m () =
    if not (try_lock m) then
      let holder = holder m in
      try Extent.protect (fun () -> Turnstile.acquire ~n:1 m holder)
      with _ -> Turnstile.acquire_by (Wait.in_any_case locking) ~n:1 m holder
end

(* A turnstile with a count. *)
module Semaphore = struct
  type t = Turnstile.t

  let acquiring = "acquires a semaphore"

  let create n =
    if n < 0 then invalid_arg "Drover.Semaphore.create: the count is negative";
    Turnstile.create acquiring ~most:max_int n

  let positive caller = function
    | Some n when n < 1 -> invalid_arg (Printf.sprintf "Drover.Semaphore.%s: n < 1" caller)
    | Some n -> n
    | None -> 1

  (* One permit may be waited for where there is none yet. *)
  let request caller ?n s =
    let n = positive caller n in
    if n > 1 && n > Turnstile.total s then
      invalid_arg
        (Printf.sprintf "Drover.Semaphore.%s: more permits than the semaphore was created with"
           caller);
    n

  let acquire ?n s = Turnstile.acquire ~n:(request "acquire" ?n s) s Hold.nobody
  let try_acquire ?n s = Turnstile.try_acquire ~n:(request "try_acquire" ?n s) s

  let give_back ~n s =
    if not (Turnstile.release ~n s) then invalid_arg "Drover.Semaphore.release: too many permits"

  let release ?n s =
    let n = positive "release" n in
    Section.reserve_stack ();
    give_back ~n s

  let free = Turnstile.free
  let protect ?n s f = Turnstile.protect ~n:(request "protect" ?n s) s Hold.nobody f

  module Counting = struct
    type nonrec t = t

    let make = create
    let acquire s = acquire s
    let try_acquire s = try_acquire s
    let release s = release s
    let get_value = free
  end

  module Binary = struct
    type nonrec t = t

    let make is_free = Turnstile.create acquiring ~most:1 (Bool.to_int is_free)
    let acquire s = acquire s
    let try_acquire s = try_acquire s

    (* Nothing, if it is free already. *)
    let release s =
      Section.reserve_stack ();
      ignore (Turnstile.release ~n:1 s : bool)
  end
end

(* A turnstile with a permit for each reader that there can be, of which a writer takes all. So a writer that is the
   first in line is not overtaken, and one that leaves lets in all readers up to the next writer. *)
module Rwlock = struct
  type t = Turnstile.t

  let all = max_int
  let create () = Turnstile.create "waits for a read-write lock" ~most:all all
  let read l f = Turnstile.protect ~n:1 l Hold.nobody f
  let write l f = Turnstile.protect ~n:all l Hold.nobody f
end

let unlock_for = Mutex.unlock_for
let lock_in_any_case = Mutex.lock_in_any_case
let not_locked = Mutex.not_locked
let request = Semaphore.request
let give_back = Semaphore.give_back
