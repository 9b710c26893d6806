(** Many forks. *)

val fib : int -> int
(** [fib n] is the [n]-th Fibonacci number, by a fork at each step. *)
