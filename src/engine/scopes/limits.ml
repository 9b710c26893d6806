(* Limits: code that may be interrupted, and scopes that end when they have run too long or use too much memory.

   How code comes to be interrupted: [Context.interruptible] says which code it is; [Section] when it may be
   interrupted and [Ticker] where; [Interrupter] has it come there. *)

exception Timeout

type limit = Account.limit = Heap of int | Allocated of int

exception Exceeded = Account.Exceeded

(* Interruption *)

let allow (outer : Context.t) = { outer with interruptible = true }

let during f =
  Interrupter.during (fun () ->
      Section.run Poller.expect ();
      f ())

let interruptible f =
  Pool.inside (fun () ->
      if (Task.context ()).interruptible then f () else during (fun () -> Extent.within allow f))

(* Acquires and releases out of reach of any cancellation. What has been locked is [f]'s meanwhile, and
   the caller's in the end. Nothing is allocated between the end of [acquire] and the handler that releases. *)
let bracket ~acquire ~release f =
  Pool.inside (fun () ->
      let outside = Task.context () in
      Extent.protect (fun () ->
          let masked = (Task.context ()).token and outer = outside.token in
          let use resource =
            Token.hand_on masked outer;
            Extent.within (fun _ -> outside) (fun () -> f resource)
          and hand_back () = Token.hand_on outer masked in
          let give_back resource =
            match Shared.insist hand_back () with
            | () -> release resource
            | exception exn -> Failure.raise_after release resource exn
          in
          let resource = acquire () in
          match use resource with
          | v ->
              give_back resource;
              v
          | exception exn -> Failure.raise_after give_back resource exn))

(* Limits of time *)

let check_seconds caller seconds =
  if Float.is_nan seconds then invalid_arg ("Drover.Scope." ^ caller ^ ": not a number");
  if seconds <= 0. then raise Timeout

let set (s, seconds) = Poller.after seconds (fun () -> Scope.cancel s Timeout)

(* What has returned when a limit is reached is the result, although it may have been interrupted: it
   may have taken a lock or a message. The timer is set outside of the scope's fiber, whose stack is small:
   were it to grow, that would cost as much as the timer. *)
let within ?seconds ~change ~is_limit f =
  let result = ref None and timer = ref None in
  let change s =
    timer := Option.map (fun seconds -> Section.run set (s, seconds)) seconds;
    change s
  and keep v = result := Some v in
  let run (_ : Scope.t) = Section.run keep (f ()) in
  match Scope.run_in change run with
  | () ->
      Option.iter Timers.cancel !timer;
      Option.get !result
  | exception exn -> (
      let failure = Failure.caught exn in
      Option.iter Timers.cancel !timer;
      match !result with Some v when is_limit exn -> v | Some _ | None -> Failure.raise failure)

let timed caller seconds f =
  check_seconds caller seconds;
  within ~seconds ~change:Scope.as_it_is ~is_limit:(fun exn -> exn == Timeout) f

let with_timeout seconds f = timed "with_timeout" seconds f
let with_deadline time f = timed "with_deadline" (time -. Unix.gettimeofday ()) f

(* Limits of memory, too *)

let is_limit = function Timeout | Exceeded _ -> true | _ -> false

(* In the context of the caller. Nobody but the timers' thread can stop code that never looks. *)
let change caller account ?timeout ?heap ?allocated s =
  if Option.is_some timeout && not (Poller.has_thread ()) then
    failwith ("Drover.Scope." ^ caller ^ ": no thread can be made for the time limit");
  match (heap, allocated) with
  | None, None -> allow
  | _ ->
      let outer = (Task.context ()).account in
      account := Account.create ~outer ?heap ?allocated (Scope.cancel s);
      fun context -> { (allow context) with account = !account }

let limit caller ~is_limit ?timeout ?heap ?allocated f =
  let check words =
    if words < 0 then invalid_arg ("Drover.Scope." ^ caller ^ ": fewer than 0 words")
  in
  Option.iter check heap;
  Option.iter check allocated;
  Option.iter (check_seconds caller) timeout;
  let account = ref Account.none in
  let change = change caller account ?timeout ?heap ?allocated in
  Pool.inside (fun () ->
      Failure.finally
        (fun () -> Account.finish !account)
        (fun () -> during (fun () -> within ?seconds:timeout ~change ~is_limit f)))

let limited ?timeout ?heap ?allocated f = limit "limited" ~is_limit ?timeout ?heap ?allocated f

let limited_result ?timeout ?heap ?allocated f =
  let reached = ref None in
  let is_limit exn =
    if is_limit exn then reached := Some exn;
    is_limit exn
  in
  match limit "limited_result" ~is_limit ?timeout ?heap ?allocated f with
  | v -> ( match !reached with None -> Ok v | Some limit -> Error (limit, Some v))
  | exception ((Timeout | Exceeded _) as limit) -> Error (limit, None)
