(* Faults that are shortages: of stack, of descriptors, of domains, of threads. *)

open Fault

(* Stack *)

module Overflow : KIND = struct
  let name = "overflow"
  let limits = no_limits
  let parameters ~domains:_ = "l=16k"
  let parts = Program.Everything
  let around f = f ()
  let is_known e = e = Stack_overflow
  let companions = 0
  let install = ignore
  let arm random = Fault.arm random ~among:(Triggers.between random 2 100)
  let disarm = Fault.disarm
  let wrap f = if is_due () then Test_support.Room.within (random 300) f else f ()
  let count () = Atomic.get Fault.count
end

let is_shortage = function
  | Unix.Unix_error _ | Sys_error _ | Failure _ | Out_of_memory -> true
  | _ -> false

(* What there are only so many of. A thread takes all there are, and gives them back, in turns. *)

module type RESOURCE = sig
  type t

  val name : string
  val limits : domains:int -> string
  val parameters : domains:int -> string

  val take : unit -> t
  (** Raises if there is none. *)

  val give : t -> unit

  val takes_turns : bool
  (** Whether some are there again now and then. *)
end

module Shortage (Resource : RESOURCE) : KIND = struct
  include Resource

  let taken = ref [] (* the thread's *)

  let rec take_all () =
    match Resource.take () with
    | r ->
        taken := r :: !taken;
        take_all ()
    | exception e when is_shortage e -> ()

  let give_all () =
    List.iter Resource.give !taken;
    taken := []

  let give_one random =
    match !taken with
    | r :: rest when Random.State.bool random ->
        taken := rest;
        Resource.give r
    | _ -> ()

  let rec go_on random () =
    if Atomic.get armed then begin
      let pause () = Thread.delay (Random.State.float random 2e-3) in
      take_all ();
      give_one random;
      Atomic.incr Fault.count;
      pause ();
      give_all ();
      pause ();
      go_on random ()
    end

  (* From now on, or not at all. What has just ended takes a moment to give back what it had. *)
  let lasting random =
    if Random.State.bool random then begin
      Unix.sleepf 0.05;
      take_all ();
      Atomic.incr Fault.count
    end

  let parts = Program.Everything
  let around f = f ()
  let is_known = is_shortage
  let companions = 0
  let thread = ref None
  let install = ignore

  let arm random =
    Fault.arm random ~among:1;
    if takes_turns then thread := Some (Thread.create (go_on (Random.State.split random)) ())
    else lasting random

  let disarm () =
    Fault.disarm ();
    Option.iter Thread.join !thread;
    thread := None;
    give_all ()

  let wrap f = f ()
  let count () = Atomic.get Fault.count
end

module Descriptors = Shortage (struct
  type t = Unix.file_descr

  let name = "descriptors"
  let limits ~domains:_ = "ulimit -n 64"
  let parameters ~domains:_ = ""
  let take () = Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0
  let give = Unix.close
  let takes_turns = true
end)

(* A thread or a domain that does nothing until it may end. *)
type sleeper = { mutex : Stdlib.Mutex.t; over : Stdlib.Condition.t; mutable is_over : bool }

let sleeper () =
  { mutex = Stdlib.Mutex.create (); over = Stdlib.Condition.create (); is_over = false }

let sleep s () =
  Stdlib.Mutex.protect s.mutex (fun () ->
      while not s.is_over do
        Stdlib.Condition.wait s.over s.mutex
      done)

let wake s =
  Stdlib.Mutex.protect s.mutex (fun () ->
      s.is_over <- true;
      Stdlib.Condition.signal s.over)

module Domains = Shortage (struct
  type t = sleeper * unit Domain.t

  let name = "domains"
  let limits = no_limits
  let parameters ~domains = Printf.sprintf "d=%d" (domains + 6)

  let take () =
    let s = sleeper () in
    (s, Domain.spawn (sleep s))

  let give (s, domain) =
    wake s;
    Domain.join domain

  let takes_turns = true
end)

(* A thread's stack is of a size that only a few find room for, whoever the user is. OCaml needs two
   threads for a domain, and dies if it finds room for one of them only: so there are no domains
   either, and none comes back meanwhile: what has just ended has time to give back its place. *)
module Threads = Shortage (struct
  type t = Domain of sleeper * unit Domain.t | Thread of sleeper * Thread.t

  let name = "threads"
  let spare = 6 (* domains *)

  let limits ~domains =
    let gigabyte = 1024 * 1024 in
    Printf.sprintf "ulimit -s %d; ulimit -v %d" gigabyte (4 * (domains + spare + 2) * gigabyte)

  let parameters ~domains = Printf.sprintf "d=%d" (domains + spare)
  let patience = 200 (* milliseconds *)

  let rec domain s patience =
    match Domain.spawn (sleep s) with
    | domain -> Some domain
    | exception Failure _ when patience > 0 ->
        Unix.sleepf 1e-3;
        domain s (patience - 1)
    | exception Failure _ -> None

  let has_domains = ref true

  let take () =
    let s = sleeper () in
    match if !has_domains then domain s patience else None with
    | Some domain -> Domain (s, domain)
    | None ->
        has_domains := false;
        Thread (s, Thread.create (sleep s) ())

  let give taken =
    has_domains := true;
    match taken with
    | Domain (s, domain) ->
        wake s;
        Domain.join domain
    | Thread (s, thread) ->
        wake s;
        Thread.join thread

  let takes_turns = false
end)

let all : (module KIND) list =
  [ (module Overflow); (module Descriptors); (module Domains); (module Threads) ]
