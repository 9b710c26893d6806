(* Mutex: a turnstile for one, that knows which task holds it. When that task ends, it is
   unlocked. *)

type t = Turnstile.t

let create ?(name = "a mutex") () = Turnstile.create ~name ~most:1 1
let name m = (Turnstile.hold m).name

(* Before it is locked, so that nothing is left to do then but a store. A thread outside any task
   does not end before its own time. *)
let[@inline] holder m =
  match Worker.mine () with
  | Some w when w.context != Context.none -> Token.may_hold w.context.token (Turnstile.hold m)
  | Some _ | None -> Hold.nobody

let[@inline] lock m = Turnstile.acquire m (holder m)

let try_lock m =
  let holder = holder m in
  Turnstile.try_acquire m
  && begin
    (Turnstile.hold m).holder <- holder;
    true
  end

let is_locked m = Turnstile.free m = 0

(* Where another has unlocked it just as the caller had locked it, the caller was noted too late. *)
let not_locked caller m =
  let me = holder m and hold = Turnstile.hold m in
  if me <> Hold.nobody && hold.holder = me then Hold.give_back hold;
  invalid_arg ("Drover." ^ caller ^ ": " ^ hold.name ^ " is not locked")

(* Before it is unlocked its holder is forgotten, so that the next one's number stays. *)
let[@inline] unlock_for caller m =
  Section.reserve_stack ();
  if
    not
      (is_locked m
      && begin
        Hold.give_back (Turnstile.hold m);
        Turnstile.release m
      end)
  then not_locked caller m

let unlock m = unlock_for "Mutex.unlock" m
let protect m f = Turnstile.protect m (holder m) f

(* Also if the calling task is cancelled; a fiber of a host that was can only block its thread. *)
let lock_in_any_case m () =
  if not (try_lock m) then
    let holder = holder m in
    try Extent.protect (fun () -> Turnstile.acquire m holder)
    with _ -> Turnstile.acquire_by Wait.in_any_case m holder
