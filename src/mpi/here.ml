(* Here: what a rank knows of itself while ranks work together. *)

type t = {
  transport : Transport.t;
  mailboxes : Mailboxes.t;
  next_collective : int Atomic.t;
  next_call : int Atomic.t;
  polled : float Atomic.t; (* when an item ended that looked for messages *)
}

let now : t option Atomic.t = Atomic.make None

(* What the code that runs is part of: the program, an item of a map, or what runs everywhere. What may
   be called depends on that, and not on the rank that has got an item. *)
type part = Program | Item | Everywhere

let part = Drover.Local.create Program

let create transport mailboxes =
  {
    transport;
    mailboxes;
    next_collective = Atomic.make 0;
    next_call = Atomic.make 0;
    polled = Atomic.make 0.;
  }

let get caller =
  match Atomic.get now with
  | Some t -> t
  | None -> invalid_arg ("Drover_mpi." ^ caller ^ ": outside of Drover_mpi.run")

(* For a transport's thread, which may be there before [place] is filled. *)
let rec filled place =
  match Atomic.get place with
  | Some t -> t
  | None ->
      Thread.yield ();
      filled place

let wait () = filled now
let rank () = Option.fold (Atomic.get now) ~none:0 ~some:(fun t -> t.transport.rank)
let period = 2e-4 (* seconds *)

(* Between two items: messages are served although every worker computes. *)
let tick () =
  let t = get "tick" and time = Unix.gettimeofday () in
  if Float.abs (time -. Atomic.get t.polled) > period then begin
    Atomic.set t.polled time;
    t.transport.poll ()
  end

let post t ~dest ~tag bytes = ignore (t.transport.send ~dest ~tag bytes : unit Drover.Promise.t)
