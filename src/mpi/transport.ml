(* Transport: what carries messages between ranks.

   A message is a source, a small number called its tag, and bytes. Messages of one source and one tag
   arrive in the order in which they were sent. A transport has a thread or the like of its own, so
   messages arrive also while every worker computes; who waits for one calls [poll] to be faster. *)

type t = {
  rank : int;
  size : int;
  send : dest:int -> tag:int -> Bytes.t -> unit Drover.Promise.t;
      (** Never waits, from any thread; settled when the bytes have left. What is sent to a rank
          that has ended is lost. *)
  poll : unit -> unit;  (** Delivers what has come. Never waits, from any thread. *)
  spin : float;  (** For how many seconds it is worth to poll before one suspends. *)
  numbers : Numbers.native option;  (** For arrays of numbers, if there is something better. *)
  finish : unit -> unit;  (** When all ranks know that it is over. Once. *)
  abort : int -> unit;  (** Ends all ranks now, this one with that exit code; does not return. *)
}

(* Whom a transport tells. The functions are called one at a time, and never wait. *)
type listener = {
  deliver : source:int -> tag:int -> Bytes.t -> unit;
  ended : rank:int -> string -> unit;  (** A rank has ended, for this reason. *)
}

(* A tag tells what a message is about. *)

let hello = 0
let service = 1
let first_collective = 2
let collectives = 8000
let user_tags = 8192
let value tag = user_tags + tag
let numbers tag = (2 * user_tags) + tag
