(** What a watched program says: the runtime's events and Drover's, as one type. *)

type standing = Neither | In_task | Parked  (** The type for what a worker is in. *)

(** The type for events. *)
type t =
  | Program_begins  (** or its runtime does *)
  | Program_ends  (** on the main ring, and for all of them *)
  | Begin of Runtime_events.runtime_phase
  | End of Runtime_events.runtime_phase
  | Task of Runtime_events.Type.span
  | Park of Runtime_events.Type.span
  | Stand_by of Runtime_events.Type.span  (** as other programs have the processors *)
  | Named of string * Runtime_events.Type.span  (** [Drover.named] *)
  | Steal of int  (** from that worker *)
  | Suspend of int  (** a task ends this turn in that wait *)
  | Resume of int  (** and goes on after it *)
  | Wait of string  (** for what it waits in the next [Suspend], and where *)
  | Site of string
      (** where in the source was started what begins here, perhaps within a task; [""]: not known
      *)
  | Batch of int  (** of so many operations *)
  | Loop of int  (** a loop with so many iterations has ended *)
  | Loop_time of int  (** the loop that ends next ran for so many nanoseconds *)
  | Worker of int option  (** the domain is that worker from now on *)
  | Pool_open of int  (** of so many workers *)
  | Pool_close of int
  | Active of int
  | Unserved of int
  | Standing of { ring : int; worker : int; state : standing }
      (** somebody says of another that its domain is that worker, and what that is in *)
  | Unknown of Runtime_events.Type.span
      (** it is not known where the domain stands, and what was open may have ended; may begin again
          before it ends: see {!Whereabouts} *)

type listener = ring:int -> at:int -> t -> unit
(** The type for those who are told. A ring is a domain's; its events come in order. [at] is in
    nanoseconds of a monotonic clock. *)

val of_span : string -> Runtime_events.Type.span -> t option
(** [of_span name span] is what the user's event of that name means, if it is one of Drover's. *)

val of_int : string -> int -> t option
(** The same for events with a number. *)

val of_unit : string -> t option
(** The same for events that say what they say by their names. *)

val callbacks : listener -> lost:(ring:int -> int -> unit) -> Runtime_events.Callbacks.t
(** [callbacks listen ~lost] tells [listen] all events, and [lost] when the program wrote faster
    than they were read. *)
